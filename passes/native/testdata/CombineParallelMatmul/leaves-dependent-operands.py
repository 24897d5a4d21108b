# A matmul whose right operand is computed from another product of the group cannot join it.
# unchanged
# fault dependent-operand: form.undefined-var


@I.ir_module
class Source:
    @R.function
    def main(
        x: R.Tensor((3, 3), "float32"),
        v: R.Tensor((3, 3), "float32"),
    ) -> R.Tuple(R.Tensor((3, 3), "float32"), R.Tensor((3, 3), "float32")):
        with R.dataflow():
            y = R.matmul(x, v)
            n = R.exp(y)
            z = R.matmul(x, n)
            R.output(y, z)
        return (y, z)
