from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(g: R.Tensor((1, 1, 1, 1), dtype="float32"), x: R.Tensor((1, 1, 1, 1), dtype="float32")) -> R.Tensor((1, 1, 1, 1), dtype="float32"):
        y = R.grad.avg_pool2d_backward(g, x, pool_size=[2, 2], strides=[2, 2], ceil_mode=True, count_include_pad=True)
        return y
