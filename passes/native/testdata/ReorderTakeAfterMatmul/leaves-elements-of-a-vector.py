# Elements of a vector are no columns.
# unchanged
# fault rank-one-table


@I.ir_module
class Source:
    @R.function
    def main(
        x: R.Tensor((3, 3), "float32"),
        w: R.Tensor((3,), "float32"),
        i: R.Tensor((3,), "int64"),
    ) -> R.Tensor((3,), "float32"):
        with R.dataflow():
            t = R.take(w, i, axis=0, mode="fast")
            y = R.matmul(x, t)
            R.output(y)
        return y


@I.ir_module
class RankOneTable:
    @R.function
    def main(
        x: R.Tensor((3, 3), "float32"),
        w: R.Tensor((3,), "float32"),
        i: R.Tensor((3,), "int64"),
    ) -> R.Tensor((3,), "float32"):
        with R.dataflow():
            product = R.matmul(x, w)
            y = R.take(product, i, axis=0, mode="fast")
            R.output(y)
        return y
