# Takes along another axis than that of the columns stay, and those from vectors, of batches, or at one index.
# unchanged


@I.ir_module
class Source:
    @R.function
    def rows(
        x: R.Tensor((2, 3), "float32"),
        w: R.Tensor((3, 3), "float32"),
        i: R.Tensor((3,), "int64"),
    ) -> R.Tensor((2, 3), "float32"):
        with R.dataflow():
            t = R.take(w, i, axis=0, mode="fast")
            y = R.matmul(x, t)
            R.output(y)
        return y

    @R.function
    def vector(
        x: R.Tensor((2, 3), "float32"),
        w: R.Tensor((3,), "float32"),
        i: R.Tensor((3,), "int64"),
    ) -> R.Tensor((2,), "float32"):
        with R.dataflow():
            t = R.take(w, i, axis=0, mode="fast")
            y = R.matmul(x, t)
            R.output(y)
        return y

    @R.function
    def flat(
        x: R.Tensor((2, 3), "float32"),
        w: R.Tensor((3,), "float32"),
        i: R.Tensor((3,), "int64"),
    ) -> R.Tensor((2,), "float32"):
        with R.dataflow():
            t = R.take(w, i, mode="fast")
            y = R.matmul(x, t)
            R.output(y)
        return y

    @R.function
    def batches(
        x: R.Tensor((5, 2, 3), "float32"),
        w: R.Tensor((7, 3, 4), "float32"),
        i: R.Tensor((5,), "int64"),
    ) -> R.Tensor((5, 2, 4), "float32"):
        with R.dataflow():
            t = R.take(w, i, axis=0, mode="fast")
            y = R.matmul(x, t)
            R.output(y)
        return y

    @R.function
    def one_index(
        x: R.Tensor((2, 3), "float32"),
        w: R.Tensor((3, 9), "float32"),
        i: R.Tensor((), "int64"),
    ) -> R.Tensor((2,), "float32"):
        with R.dataflow():
            t = R.take(w, i, axis=1, mode="fast")
            y = R.matmul(x, t)
            R.output(y)
        return y
