from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 1, 1, 1), dtype="float32")) -> R.Tensor(dtype="float32", ndim=4):
        y = R.nn.attention(x, x, x)
        return y
