from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 1), dtype="float32")) -> R.Tensor(dtype="float32", ndim=2):
        n = T.int64()
        with R.dataflow():
            y = R.matmul(x, x)
            z = R.matmul(y, x)
            v = R.match_cast(z, R.Tensor((1, n), dtype="float32"))
            R.output(v)
        return v
