from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((), dtype="float32"), c: R.Tensor((), dtype="bool")) -> R.Tuple(R.Tensor((), dtype="float32"), R.Tensor((), dtype="float32")):
        with R.dataflow():
            y = R.add(x, x)
            R.output(y)
        if c:
            z = x
        else:
            z = R.negative(x)
        with R.dataflow():
            v = R.negative(y)
            w = R.add(v, y)
            R.output(w)
        return (z, w)
