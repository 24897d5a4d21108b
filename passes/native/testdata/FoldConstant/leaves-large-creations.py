# Large tensors that an op creates stay calls; tuples and shapes as operands are no hindrance to folding.


@I.ir_module
class Source:
    @R.function
    def main(
        x: R.Tensor((4,), "float32"),
    ) -> R.Tuple(
        R.Tensor((1025,), "float32"),
        R.Tensor((2,), "float32"),
        R.Tensor((3,), "int32"),
        R.Tensor((2, 2), "float32"),
    ):
        with R.dataflow():
            large = R.zeros(R.shape([1025]), dtype="float32")
            small = R.ones(R.shape([2]), dtype="float32")
            t = (R.const([1], "int32"), R.const([2, 3], "int32"))
            joined = R.concat(t, axis=0)
            s = R.shape([2, 2])
            r = R.reshape(x, s)
            R.output(large, small, joined, r)
        return (large, small, joined, r)


@I.ir_module
class Target:
    @R.function
    def main(
        x: R.Tensor((4,), "float32"),
    ) -> R.Tuple(
        R.Tensor((1025,), "float32"),
        R.Tensor((2,), "float32"),
        R.Tensor((3,), "int32"),
        R.Tensor((2, 2), "float32"),
    ):
        with R.dataflow():
            large = R.zeros(R.shape([1025]), dtype="float32")
            r = R.reshape(x, R.shape([2, 2]))
            R.output(large, r)
        return (large, R.const([1.0, 1.0], "float32"), R.const([1, 2, 3], "int32"), r)
