# An addend that is broadcast along the rows cannot be multiplied by itself.
# unchanged


@I.ir_module
class Source:
    @R.function
    def vector(
        x: R.Tensor((4, 3), "float32"),
        a: R.Tensor((3, 5), "float32"),
        b: R.Tensor((5,), "float32"),
    ) -> R.Tensor((4, 5), "float32"):
        with R.dataflow():
            w = R.add(a, b)
            y = R.matmul(x, w)
            R.output(y)
        return y

    @R.function
    def row(
        x: R.Tensor((4, 3), "float32"),
        a: R.Tensor((3, 5), "float32"),
        b: R.Tensor((1, 5), "float32"),
    ) -> R.Tensor((4, 5), "float32"):
        with R.dataflow():
            w = R.add(a, b)
            y = R.matmul(x, w)
            R.output(y)
        return y

    @R.function
    def scalar(
        x: R.Tensor((4, 3), "float32"),
        a: R.Tensor((), "float32"),
        b: R.Tensor((3, 5), "float32"),
    ) -> R.Tensor((4, 5), "float32"):
        with R.dataflow():
            w = R.add(a, b)
            y = R.matmul(x, w)
            R.output(y)
        return y
