# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1,), dtype="float32")) -> R.Tensor(dtype="float32", ndim=1):
        n = T.int64()
        with R.dataflow():
            lv: R.Tensor((), dtype="bool") = R.logical_or(R.const(False, "bool"), R.const(False, "bool"))
            lv1: R.Tensor((n,), dtype="float32") = R.match_cast(x, R.Tensor((n,), dtype="float32"))
            gv: R.Tensor((n,), dtype="float32") = R.full_like(lv1, lv)
            R.output(gv)
        return gv
