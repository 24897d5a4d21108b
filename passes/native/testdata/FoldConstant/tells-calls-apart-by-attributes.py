# Two calls of one op on the same constant, with different attributes, have different results.
# fault results-cached-by-operands


@I.ir_module
class Source:
    @R.function
    def main() -> R.Tensor((2,), "int32"):
        with R.dataflow():
            a = R.sum(R.const([[1, 2], [3, 4]], "int32"), axis=[0], keepdims=False)
            b = R.sum(R.const([[1, 2], [3, 4]], "int32"), axis=[1], keepdims=False)
            r = R.subtract(a, b)
            R.output(r)
        return r


@I.ir_module
class Target:
    @R.function
    def main() -> R.Tensor((2,), "int32"):
        return R.const([1, -1], "int32")


@I.ir_module
class ResultsCachedByOperands:
    @R.function
    def main() -> R.Tensor((2,), "int32"):
        return R.const([0, 0], "int32")
