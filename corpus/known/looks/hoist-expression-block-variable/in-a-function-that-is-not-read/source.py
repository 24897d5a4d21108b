# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 1), dtype="float32")) -> R.Tensor(dtype="float32", ndim=2):
        n = T.int64()
        gv: R.Tensor(dtype="float32", ndim=2) = R.match_cast(x, R.Tensor(dtype="float32", ndim=2))
        gv1: R.Tensor((n, 1), dtype="float32") = R.match_cast(gv, R.Tensor((n, 1), dtype="float32"))
        gv2: R.Tensor((n + n, 1), dtype="float32") = R.concat((gv1, gv1), axis=0)
        gv3: R.Tensor((n + n, 1), dtype="float32") = R.strided_slice(gv2, (0, 1), (0, 0), (n + n, 1), assume_inbound=False)
        return gv3
