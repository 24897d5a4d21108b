# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor((1,), dtype="float32")) -> R.Tensor(dtype="float32", ndim=1):
        n = T.int64()
        gv: R.Tensor((n,), dtype="float32") = R.match_cast(x, R.Tensor((n,), dtype="float32"))
        if R.prim_value(n > 2):
            gv1: R.Tensor((n,), dtype="float32") = R.subtract(gv, gv)
            gv2: R.Tensor((n,), dtype="float32") = gv1
        else:
            gv2: R.Tensor((n,), dtype="float32") = gv
        return gv2
