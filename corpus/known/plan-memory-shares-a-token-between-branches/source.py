from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(c: R.Tensor((), dtype="bool"), x: R.Tensor((1,), dtype="float32")) -> R.Tensor((1,), dtype="float32"):
        if c:
            a = R.negative(x)
            b = R.exp(a)
            y = b
        else:
            d = R.negative(x)
            e = R.exp(d)
            y = e
        return y
