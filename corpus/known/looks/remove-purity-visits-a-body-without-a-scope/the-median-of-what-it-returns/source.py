# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main() -> R.Tensor((), dtype="float32"):
        n = T.int64()
        gv: R.Tensor((n,), dtype="float32") = R.match_cast(R.const([0.0], "float32"), R.Tensor((n,), dtype="float32"))
        if R.prim_value(n > 2):
            gv1: R.Tensor((n,), dtype="float32") = R.subtract(gv, gv)
            gv2: R.Tensor((n,), dtype="float32") = gv1
        else:
            gv2: R.Tensor((n,), dtype="float32") = gv
        gv3: R.Tuple(R.Tensor((), dtype="float32"), R.Tensor((), dtype="int64")) = R.median(gv2, axis=[0], keepdims=False)
        gv4: R.Tensor((), dtype="float32") = gv3[0]
        return gv4
