# The new matmul has the out_dtype of the old one; sizes may be symbolic.
# arguments: {"i": [0, 0, 0, 0]}


@I.ir_module
class Source:
    @R.function
    def main(
        x: R.Tensor(("m", 3), "float16"),
        w: R.Tensor((3, "n"), "float16"),
        i: R.Tensor((4,), "int32"),
    ) -> R.Tensor(("m", 4), "float32"):
        m = T.int64()
        n = T.int64()
        with R.dataflow():
            t = R.take(w, i, axis=1, mode="fast")
            y = R.matmul(x, t, out_dtype="float32")
            R.output(y)
        return y


@I.ir_module
class Target:
    @R.function
    def main(
        x: R.Tensor(("m", 3), "float16"),
        w: R.Tensor((3, "n"), "float16"),
        i: R.Tensor((4,), "int32"),
    ) -> R.Tensor(("m", 4), "float32"):
        m = T.int64()
        n = T.int64()
        with R.dataflow():
            product = R.matmul(x, w, out_dtype="float32")
            y = R.take(product, i, axis=1, mode="fast")
            R.output(y)
        return y
