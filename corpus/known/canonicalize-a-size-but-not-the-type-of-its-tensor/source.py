# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2,), dtype="float32")) -> R.Tuple(R.Tensor((2,), dtype="float32"), R.Tensor(dtype="float32", ndim=1)):
        n = T.int64()
        gv: R.Tensor((n,), dtype="float32") = R.match_cast(x, R.Tensor((n,), dtype="float32"))
        if R.prim_value(n >= 1):
            gv1: R.Tensor((2,), dtype="float32") = x
        else:
            gv1: R.Tensor((2,), dtype="float32") = x
        gv2: R.Tensor((n,), dtype="float32") = R.collapse_sum_to(gv, R.shape([n]))
        return (gv1, gv2)
