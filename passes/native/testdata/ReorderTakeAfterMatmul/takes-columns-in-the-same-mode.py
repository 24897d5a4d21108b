# A product with columns taken from a table becomes columns taken from the product with the table, in the same mode.
# fault input-mutated


@I.ir_module
class Source:
    @R.function
    def fast(
        x: R.Tensor((2, 3), "float32"),
        w: R.Tensor((3, 9), "float32"),
        i: R.Tensor((4,), "int64"),
    ) -> R.Tensor((2, 4), "float32"):
        with R.dataflow():
            t = R.take(w, i, axis=1, mode="fast")
            y = R.matmul(x, t)
            R.output(y)
        return y

    @R.function
    def clip(
        x: R.Tensor((2, 3), "float32"),
        w: R.Tensor((3, 9), "float32"),
        i: R.Tensor((4,), "int64"),
    ) -> R.Tensor((2, 4), "float32"):
        with R.dataflow():
            t = R.take(w, i, axis=1, mode="clip")
            y = R.matmul(x, t)
            R.output(y)
        return y

    @R.function
    def wrap(
        x: R.Tensor((2, 3), "float32"),
        w: R.Tensor((3, 9), "float32"),
        i: R.Tensor((4,), "int64"),
    ) -> R.Tensor((2, 4), "float32"):
        with R.dataflow():
            t = R.take(w, i, axis=1, mode="wrap")
            y = R.matmul(x, t)
            R.output(y)
        return y

    @R.function
    def nan(
        x: R.Tensor((2, 3), "float32"),
        w: R.Tensor((3, 9), "float32"),
        i: R.Tensor((4,), "int64"),
    ) -> R.Tensor((2, 4), "float32"):
        with R.dataflow():
            t = R.take(w, i, axis=1, mode="nan")
            y = R.matmul(x, t)
            R.output(y)
        return y


@I.ir_module
class Target:
    @R.function
    def fast(
        x: R.Tensor((2, 3), "float32"),
        w: R.Tensor((3, 9), "float32"),
        i: R.Tensor((4,), "int64"),
    ) -> R.Tensor((2, 4), "float32"):
        with R.dataflow():
            product = R.matmul(x, w)
            y = R.take(product, i, axis=1, mode="fast")
            R.output(y)
        return y

    @R.function
    def clip(
        x: R.Tensor((2, 3), "float32"),
        w: R.Tensor((3, 9), "float32"),
        i: R.Tensor((4,), "int64"),
    ) -> R.Tensor((2, 4), "float32"):
        with R.dataflow():
            product = R.matmul(x, w)
            y = R.take(product, i, axis=1, mode="clip")
            R.output(y)
        return y

    @R.function
    def wrap(
        x: R.Tensor((2, 3), "float32"),
        w: R.Tensor((3, 9), "float32"),
        i: R.Tensor((4,), "int64"),
    ) -> R.Tensor((2, 4), "float32"):
        with R.dataflow():
            product = R.matmul(x, w)
            y = R.take(product, i, axis=1, mode="wrap")
            R.output(y)
        return y

    @R.function
    def nan(
        x: R.Tensor((2, 3), "float32"),
        w: R.Tensor((3, 9), "float32"),
        i: R.Tensor((4,), "int64"),
    ) -> R.Tensor((2, 4), "float32"):
        with R.dataflow():
            product = R.matmul(x, w)
            y = R.take(product, i, axis=1, mode="nan")
            R.output(y)
        return y
