from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1,), dtype="float32")) -> R.Tensor((1,), dtype="float32"):
        @R.function
        def f(a: R.Tensor((1,), dtype="float32")) -> R.Tensor((1,), dtype="float32"):
            b = R.negative(a)
            c = R.exp(b)
            return c
        @R.function
        def g(d: R.Tensor((1,), dtype="float32")) -> R.Tensor((1,), dtype="float32"):
            e = R.negative(d)
            h = R.exp(e)
            return h
        return x
