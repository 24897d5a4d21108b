# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 1), dtype="float32")) -> R.Tensor(("n", 1), dtype="float32"):
        n = T.int64()
        if R.prim_value(True):
            gv: R.Tensor((n, 1), dtype="float32") = R.multiply(x, x)
            gv2: R.Tensor((n, 1), dtype="float32") = gv
        else:
            gv1: R.Tensor((n, 1), dtype="float32") = R.multiply(x, x)
            gv2: R.Tensor((n, 1), dtype="float32") = gv1
        gv3: R.Tensor(dtype="float32", ndim=2) = R.match_cast(gv2, R.Tensor(dtype="float32", ndim=2))
        gv4: R.Tensor((n, 1), dtype="float32") = R.match_cast(gv3, R.Tensor((n, 1), dtype="float32"))
        return gv4
