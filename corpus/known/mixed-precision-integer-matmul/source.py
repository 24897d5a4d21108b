from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 2), dtype="int8"), w: R.Tensor((2, 2), dtype="int8")) -> R.Tensor((2, 2), dtype="int8"):
        with R.dataflow():
            y = R.matmul(x, w)
            R.output(y)
        return y
