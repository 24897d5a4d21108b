# Right operands whose batches differ are not joined.
# unchanged


@I.ir_module
class Source:
    @R.function
    def main(
        x: R.Tensor((2, 3), "float32"),
        v: R.Tensor((6, 3, 4), "float32"),
        w: R.Tensor((1, 3, 4), "float32"),
    ) -> R.Tuple(R.Tensor((6, 2, 4), "float32"), R.Tensor((1, 2, 4), "float32")):
        with R.dataflow():
            y = R.matmul(x, v)
            z = R.matmul(x, w)
            R.output(y, z)
        return (y, z)
