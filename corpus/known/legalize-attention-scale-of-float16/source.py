from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 1, 1, 1), dtype="float16")) -> R.Tensor((1, 1, 1, 1), dtype="float16"):
        cls = Module
        y = cls.f(x)
        return y

    @R.function(private=True)
    def f(x: R.Tensor((1, 1, 1, 1), dtype="float16")) -> R.Tensor((1, 1, 1, 1), dtype="float16"):
        y = R.nn.attention(x, x, x, scale=0.5)
        return y
