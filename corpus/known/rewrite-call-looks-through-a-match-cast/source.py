from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 1), dtype="float32")) -> R.Tensor(dtype="float32", ndim=2):
        n = T.int64()
        t = R.permute_dims(x)
        u: R.Tensor(dtype="float32", ndim=2) = R.match_cast(t, R.Tensor(dtype="float32", ndim=2))
        y = R.match_cast(u, R.Tensor((1, n), dtype="float32"))
        z = R.concat((y, y), axis=0)
        return z
