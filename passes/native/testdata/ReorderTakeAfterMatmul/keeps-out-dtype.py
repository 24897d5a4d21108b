# The new matmul has the out_dtype of the old one.
# fault out-dtype-dropped: form.wrong-type


@I.ir_module
class Source:
    @R.function
    def main(
        x: R.Tensor((2, 3), "float16"),
        w: R.Tensor((3, 9), "float16"),
        i: R.Tensor((4,), "int64"),
    ) -> R.Tensor((2, 4), "float32"):
        with R.dataflow():
            t = R.take(w, i, axis=1, mode="fast")
            y = R.matmul(x, t, out_dtype="float32")
            R.output(y)
        return y


@I.ir_module
class Target:
    @R.function
    def main(
        x: R.Tensor((2, 3), "float16"),
        w: R.Tensor((3, 9), "float16"),
        i: R.Tensor((4,), "int64"),
    ) -> R.Tensor((2, 4), "float32"):
        with R.dataflow():
            product = R.matmul(x, w, out_dtype="float32")
            y = R.take(product, i, axis=1, mode="fast")
            R.output(y)
        return y
