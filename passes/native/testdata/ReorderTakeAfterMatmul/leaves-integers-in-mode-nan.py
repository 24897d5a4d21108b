# No column of an integer table is NaN, but the product would have one.
# unchanged


@I.ir_module
class Source:
    @R.function
    def main(
        x: R.Tensor((2, 3), "int8"),
        w: R.Tensor((3, 9), "int8"),
        i: R.Tensor((4,), "int64"),
    ) -> R.Tensor((2, 4), "float32"):
        with R.dataflow():
            t = R.take(w, i, axis=1, mode="nan")
            y = R.matmul(x, t, out_dtype="float32")
            R.output(y)
        return y
