from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1,), dtype="float32"), i: R.Tensor((2,), dtype="int64"), y: R.Tensor((2,), dtype="float32")) -> R.Tensor((1,), dtype="float32"):
        z = R.index_put(x, i, y, accumulate=True)
        return z
