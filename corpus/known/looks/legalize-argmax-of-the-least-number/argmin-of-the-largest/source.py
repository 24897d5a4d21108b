from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1,), dtype="uint8")) -> R.Tensor((), dtype="int64"):
        y = R.argmin(x)
        return y
