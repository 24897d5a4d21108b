from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2,), dtype="float32"), y: R.Tensor((1,), dtype="float32")) -> R.Tensor((2,), dtype="float32"):
        z = R.slice_scatter(x, y, 0, 1, 1, axis=0)
        return z
