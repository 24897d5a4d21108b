from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2,), dtype="float32")) -> R.Tensor(dtype="float32", ndim=1):
        n = T.int64()
        with R.dataflow():
            y = R.match_cast(x, R.Tensor((n,), dtype="float32"))
            z = R.zeros(R.shape([n]), dtype="float32")
            R.output(y, z)
        return z
