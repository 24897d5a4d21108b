from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 2), dtype="float32"), gamma: R.Tensor((2,), dtype="float32"), beta: R.Tensor((2,), dtype="float32")) -> R.Tensor((2, 2), dtype="float32"):
        y = R.nn.layer_norm(x, gamma, beta, axes=[0])
        return y
