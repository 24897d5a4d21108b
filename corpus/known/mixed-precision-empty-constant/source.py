from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main() -> R.Tensor((0,), dtype="float32"):
        with R.dataflow():
            y = R.negative(R.const([], "float32"))
            R.output(y)
        return y
