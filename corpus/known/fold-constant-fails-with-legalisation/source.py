from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1,), dtype="bfloat16")) -> R.Tensor((1,), dtype="bfloat16"):
        with R.dataflow():
            y = R.power(x, x)
            R.output(y)
        return y
