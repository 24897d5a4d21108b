from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(q: R.Tensor((1, 2, 1, 1), dtype="float32"), k: R.Tensor((1, 2, 1, 1), dtype="float32")) -> R.Tensor((1, 2, 1, 1), dtype="float32"):
        y = R.nn.attention(q, k, k, causal_mask="TopLeft")
        return y
