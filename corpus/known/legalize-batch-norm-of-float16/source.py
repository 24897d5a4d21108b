from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 1), dtype="float16"), w: R.Tensor((1,), dtype="float16")) -> R.Tensor((1, 1), dtype="float16"):
        cls = Module
        y = cls.f(x, w)
        return y

    @R.function(private=True)
    def f(x: R.Tensor((1, 1), dtype="float16"), w: R.Tensor((1,), dtype="float16")) -> R.Tensor((1, 1), dtype="float16"):
        y = R.nn.batch_norm(x, w, w, w, w, axis=1)
        z = y[0]
        return z
