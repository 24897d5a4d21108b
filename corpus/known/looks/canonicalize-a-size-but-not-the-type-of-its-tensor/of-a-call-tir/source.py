# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1,), dtype="float32")) -> R.Tensor((), dtype="int64"):
        n = T.int64()
        gv: R.Tensor((n,), dtype="float32") = R.match_cast(x, R.Tensor((n,), dtype="float32"))
        gv1: R.Tensor((n,), dtype="float32") = R.concat((gv,), axis=0)
        gv2: R.Tensor((), dtype="int64") = R.size(gv1)
        return gv2
