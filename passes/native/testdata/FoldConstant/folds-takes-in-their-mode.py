# A folded take treats indices that are out of range as its mode says.
# fault take-mode-ignored


@I.ir_module
class Source:
    @R.function
    def main() -> R.Tensor((1,), "float32"):
        with R.dataflow():
            r = R.take(R.const([1.0, 2.0, 3.0], "float32"), R.const([4], "int64"), axis=0, mode="wrap")
            R.output(r)
        return r


@I.ir_module
class Target:
    @R.function
    def main() -> R.Tensor((1,), "float32"):
        return R.const([2.0], "float32")


@I.ir_module
class TakeModeIgnored:
    @R.function
    def main() -> R.Tensor((1,), "float32"):
        return R.const([3.0], "float32")
