from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main() -> R.Tensor((1,), dtype="uint64"):
        y = R.full((1,), R.const(9223372036854775808, "uint64"))
        return y
