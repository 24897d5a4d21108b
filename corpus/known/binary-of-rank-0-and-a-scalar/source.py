# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((), dtype="int64"), x1: R.Tensor((1,), dtype="float32")) -> R.Tuple(R.Tensor((1,), dtype="int64")):
        n = T.int64()
        gv: R.Tensor((n,), dtype="float32") = R.match_cast(x1, R.Tensor((n,), dtype="float32"))
        gv1: R.Tensor((1,), dtype="int64") = R.subtract(x, R.prim_value(n))
        gv2: R.Tuple(R.Tensor((1,), dtype="int64")) = R.meshgrid((gv1,), indexing="ij")
        return gv2
