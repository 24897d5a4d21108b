from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2,), dtype="float32"), a: R.Tensor((2, 2), dtype="float32"), b: R.Tensor((2,), dtype="float32")) -> R.Tensor((2,), dtype="float32"):
        with R.dataflow():
            c = R.add(a, b)
            y = R.matmul(x, c)
            R.output(y)
        return y
