from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 2), dtype="float32")) -> R.Tensor((1, 1), dtype="float32"):
        y = R.median(x, keepdims=True)
        return y
