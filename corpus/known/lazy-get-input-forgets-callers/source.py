from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1,), dtype="float32"), w: R.Tensor((1,), dtype="float32")) -> R.Tensor((1,), dtype="float32"):
        cls = Module
        y = cls.helper(x, w)
        return y

    @R.function
    def helper(p: R.Tensor((1,), dtype="float32"), q: R.Tensor((1,), dtype="float32")) -> R.Tensor((1,), dtype="float32"):
        return p
