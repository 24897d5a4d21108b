from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(q: R.Tensor((2, 1, 2, 1), dtype="float32"), k: R.Tensor((2, 1, 1, 1), dtype="float32"), v: R.Tensor((2, 1, 1, 1), dtype="float32")) -> R.Tensor((2, 1, 2, 1), dtype="float32"):
        y = R.nn.attention(q, k, v)
        return y
