from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tuple(R.Tensor((1,), dtype="float32"))) -> R.Tensor((1,), dtype="float32"):
        with R.dataflow():
            y = x[0]
            R.output(y)
        return y
