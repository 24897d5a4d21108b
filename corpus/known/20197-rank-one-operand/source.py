from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((3,), dtype="float32"), w0: R.Tensor((3, 2), dtype="float32"), w1: R.Tensor((3, 2), dtype="float32")) -> R.Tuple(R.Tensor((2,), dtype="float32"), R.Tensor((2,), dtype="float32")):
        with R.dataflow():
            a = R.matmul(x, w0)
            b = R.matmul(x, w1)
            c = (a, b)
            R.output(c)
        return c
