from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1,), dtype="uint32")) -> R.Tensor((1,), dtype="uint32"):
        y = R.negative(x)
        return y
