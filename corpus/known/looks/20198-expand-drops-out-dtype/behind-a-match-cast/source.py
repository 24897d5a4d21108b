# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 1), dtype="float32"), x1: R.Tensor((1,), dtype="float32")) -> R.Tensor(dtype="int32", ndim=2):
        n = T.int64()
        with R.dataflow():
            lv: R.Tensor((1, 1), dtype="float32") = R.add(x, x1)
            lv1: R.Tensor((1, 1), dtype="int32") = R.matmul(x, lv, out_dtype="int32")
            gv: R.Tensor((1, n), dtype="int32") = R.match_cast(lv1, R.Tensor((1, n), dtype="int32"))
            R.output(gv)
        if R.prim_value(T.max(n // 3, 1) <= 2):
            gv1: R.Tensor((1, n), dtype="int32") = gv
        else:
            gv1: R.Tensor((1, n), dtype="int32") = gv
        return gv1
