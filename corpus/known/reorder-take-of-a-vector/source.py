from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 2), dtype="float32"), w: R.Tensor((2,), dtype="float32"), i: R.Tensor((2,), dtype="int64")) -> R.Tensor((2,), dtype="float32"):
        with R.dataflow():
            y = R.take(w, i, axis=0)
            z = R.matmul(x, y)
            R.output(z)
        return z
