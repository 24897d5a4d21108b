# A folded cast converts values, not bits.
# fault cast-copies-bits


@I.ir_module
class Source:
    @R.function
    def main() -> R.Tensor((2,), "float32"):
        with R.dataflow():
            r = R.astype(R.const([1, -1], "int32"), dtype="float32")
            R.output(r)
        return r


@I.ir_module
class Target:
    @R.function
    def main() -> R.Tensor((2,), "float32"):
        return R.const([1.0, -1.0], "float32")


@I.ir_module
class CastCopiesBits:
    @R.function
    def main() -> R.Tensor((2,), "float32"):
        return R.const([1e-45, float("nan")], "float32")
