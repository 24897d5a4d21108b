# Rows of the table are the inner dim of the matmul, not columns of its product.
# unchanged
# fault any-axis: form.wrong-type


@I.ir_module
class Source:
    @R.function
    def main(
        x: R.Tensor((2, 3), "float32"),
        w: R.Tensor((3, 4), "float32"),
        i: R.Tensor((3,), "int64"),
    ) -> R.Tensor((2, 4), "float32"):
        with R.dataflow():
            t = R.take(w, i, axis=0, mode="fast")
            y = R.matmul(x, t)
            R.output(y)
        return y
