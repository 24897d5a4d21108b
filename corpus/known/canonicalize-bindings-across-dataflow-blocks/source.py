from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(c: R.Tensor((), dtype="bool"), x: R.Tensor((1,), dtype="float32")) -> R.Tuple(R.Tensor((1,), dtype="float32"), R.Tensor((1,), dtype="float32")):
        with R.dataflow():
            a = R.exp(x)
            t = (a,)
            R.output(t)
        if c:
            y = x
        else:
            y = x
        with R.dataflow():
            b = t[0]
            z = R.add(x, b)
            R.output(z)
        return (y, z)
