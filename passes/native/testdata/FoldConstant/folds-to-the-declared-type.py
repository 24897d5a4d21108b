# The folded result has the dtype and the shape that inference says.
# fault wide-integers: form.wrong-type
# fault broadcast-shape: form.wrong-type
# fault only-operands-replaced: form.undefined-var


@I.ir_module
class Source:
    @R.function
    def main() -> R.Tensor((2,), "int32"):
        with R.dataflow():
            r = R.add(R.const(1, "int32"), R.const([1, 2], "int32"))
            R.output(r)
        return r


@I.ir_module
class Target:
    @R.function
    def main() -> R.Tensor((2,), "int32"):
        return R.const([2, 3], "int32")
