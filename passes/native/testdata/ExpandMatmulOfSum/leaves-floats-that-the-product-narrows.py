# The two products would be rounded to float32 before they cancel, where the source rounds once.
# unchanged


@I.ir_module
class Source:
    @R.function
    def main(
        x: R.Tensor((4, 3), "float64"),
        a: R.Tensor((3, 5), "float64"),
        b: R.Tensor((3, 5), "float64"),
    ) -> R.Tensor((4, 5), "float32"):
        w = R.add(a, b)
        y = R.matmul(x, w, out_dtype="float32")
        return y
