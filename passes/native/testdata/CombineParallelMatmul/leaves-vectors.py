# Products of vectors have no columns that could be joined.
# unchanged
# fault rank-one-operand: type.matmul


@I.ir_module
class Source:
    @R.function
    def main(
        x: R.Tensor((2, 3), "float32"),
        v: R.Tensor((3,), "float32"),
        w: R.Tensor((3,), "float32"),
    ) -> R.Tuple(R.Tensor((2,), "float32"), R.Tensor((2,), "float32")):
        with R.dataflow():
            y = R.matmul(x, v)
            z = R.matmul(x, w)
            R.output(y, z)
        return (y, z)
