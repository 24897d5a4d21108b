from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1,), dtype="float32")) -> R.Tensor((1,), dtype="float32"):
        cls = Module
        g: R.Callable((R.Tensor((1,), dtype="float32"),), R.Tensor((1,), dtype="float32"), True) = cls.helper
        y = g(x)
        return y

    @R.function(private=True)
    def helper(p: R.Tensor((1,), dtype="float32")) -> R.Tensor((1,), dtype="float32"):
        return p
