# The new take is along the product's last axis, whatever the ranks of its operands.


@I.ir_module
class Source:
    @R.function
    def batched(
        x: R.Tensor((5, 2, 3), "float32"),
        w: R.Tensor((3, 9), "float32"),
        i: R.Tensor((4,), "int64"),
    ) -> R.Tensor((5, 2, 4), "float32"):
        with R.dataflow():
            t = R.take(w, i, axis=1, mode="fast")
            y = R.matmul(x, t)
            R.output(y)
        return y

    @R.function
    def vector(
        x: R.Tensor((3,), "float32"),
        w: R.Tensor((3, 9), "float32"),
        i: R.Tensor((4,), "int64"),
    ) -> R.Tensor((4,), "float32"):
        with R.dataflow():
            t = R.take(w, i, axis=1, mode="fast")
            y = R.matmul(x, t)
            R.output(y)
        return y

    @R.function
    def batched_table(
        x: R.Tensor((2, 3), "float32"),
        w: R.Tensor((5, 3, 9), "float32"),
        i: R.Tensor((4,), "int64"),
    ) -> R.Tensor((5, 2, 4), "float32"):
        with R.dataflow():
            t = R.take(w, i, axis=2, mode="fast")
            y = R.matmul(x, t)
            R.output(y)
        return y


@I.ir_module
class Target:
    @R.function
    def batched(
        x: R.Tensor((5, 2, 3), "float32"),
        w: R.Tensor((3, 9), "float32"),
        i: R.Tensor((4,), "int64"),
    ) -> R.Tensor((5, 2, 4), "float32"):
        with R.dataflow():
            product = R.matmul(x, w)
            y = R.take(product, i, axis=2, mode="fast")
            R.output(y)
        return y

    @R.function
    def vector(
        x: R.Tensor((3,), "float32"),
        w: R.Tensor((3, 9), "float32"),
        i: R.Tensor((4,), "int64"),
    ) -> R.Tensor((4,), "float32"):
        with R.dataflow():
            product = R.matmul(x, w)
            y = R.take(product, i, axis=0, mode="fast")
            R.output(y)
        return y

    @R.function
    def batched_table(
        x: R.Tensor((2, 3), "float32"),
        w: R.Tensor((5, 3, 9), "float32"),
        i: R.Tensor((4,), "int64"),
    ) -> R.Tensor((5, 2, 4), "float32"):
        with R.dataflow():
            product = R.matmul(x, w)
            y = R.take(product, i, axis=2, mode="fast")
            R.output(y)
        return y
