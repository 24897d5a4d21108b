from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1,), dtype="float32")) -> R.Tensor((1,), dtype="float32"):
        cls = Module
        with R.dataflow():
            y = cls.f(x)
            z = cls.g(y, x)
            R.output(z)
        return z

    @R.function
    def f(x: R.Tensor((1,), dtype="float32")) -> R.Tuple(R.Tensor((1,), dtype="float32")):
        return (x,)

    @R.function
    def g(t: R.Tuple(R.Tensor((1,), dtype="float32")), x: R.Tensor((1,), dtype="float32")) -> R.Tensor((1,), dtype="float32"):
        return x
