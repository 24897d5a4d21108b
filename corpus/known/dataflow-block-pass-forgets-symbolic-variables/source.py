from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(c: R.Tensor((), dtype="bool"), x: R.Tensor(dtype="float32", ndim=1)) -> R.Tensor(dtype="float32", ndim=1):
        n = T.int64()
        with R.dataflow():
            y = R.match_cast(x, R.Tensor((n,), dtype="float32"))
            R.output(y)
        if c:
            z = R.negative(y)
        else:
            z = y
        with R.dataflow():
            w = R.exp(z)
            R.output(w)
        return w
