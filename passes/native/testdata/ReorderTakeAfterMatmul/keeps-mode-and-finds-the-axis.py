# The new take has the mode of the old one, and the axis that the columns have in the product.
# arguments: {"i": [0, 9, 12, -1]}
# fault mode-dropped
# fault axis-of-table: form.wrong-type


@I.ir_module
class Source:
    @R.function
    def main(
        x: R.Tensor((5, 2, 3), "float32"),
        w: R.Tensor((3, 9), "float32"),
        i: R.Tensor((4,), "int64"),
    ) -> R.Tensor((5, 2, 4), "float32"):
        with R.dataflow():
            t = R.take(w, i, axis=1, mode="clip")
            y = R.matmul(x, t)
            R.output(y)
        return y


@I.ir_module
class Target:
    @R.function
    def main(
        x: R.Tensor((5, 2, 3), "float32"),
        w: R.Tensor((3, 9), "float32"),
        i: R.Tensor((4,), "int64"),
    ) -> R.Tensor((5, 2, 4), "float32"):
        with R.dataflow():
            product = R.matmul(x, w)
            y = R.take(product, i, axis=2, mode="clip")
            R.output(y)
        return y


@I.ir_module
class ModeDropped:
    @R.function
    def main(
        x: R.Tensor((5, 2, 3), "float32"),
        w: R.Tensor((3, 9), "float32"),
        i: R.Tensor((4,), "int64"),
    ) -> R.Tensor((5, 2, 4), "float32"):
        with R.dataflow():
            product = R.matmul(x, w)
            y = R.take(product, i, axis=2, mode="fast")
            R.output(y)
        return y
