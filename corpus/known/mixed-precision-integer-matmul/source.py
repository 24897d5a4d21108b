from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 1), dtype="int32"), w: R.Tensor((1, 1), dtype="int32")) -> R.Tensor((1, 1), dtype="int32"):
        with R.dataflow():
            y = R.matmul(x, w)
            z = R.negative(y)
            R.output(z)
        return z
