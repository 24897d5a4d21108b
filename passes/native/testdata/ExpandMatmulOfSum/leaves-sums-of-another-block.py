# Sums are looked for in the matmul's own block only: elsewhere their addends may be out of scope.
# unchanged
# fault sum-of-another-block: form.dataflow-escape


@I.ir_module
class Source:
    @R.function
    def main(
        x: R.Tensor((4, 3), "float32"),
        a: R.Tensor((3, 5), "float32"),
        b: R.Tensor((3, 5), "float32"),
    ) -> R.Tensor((4, 5), "float32"):
        with R.dataflow():
            c = R.exp(a)
            w = R.add(c, b)
            R.output(w)
        y = R.matmul(x, w)
        return y
