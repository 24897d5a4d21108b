# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main() -> R.Tensor(dtype="float32", ndim=2):
        n = T.int64()
        R.func_attr({"num_input": 0})
        gv: R.Tensor((1, n, 1), dtype="float32") = R.match_cast(R.const([[[0.0]]], "float32"), R.Tensor((1, n, 1), dtype="float32"))
        if R.prim_value((n - 4) // 4 != 4):
            gv1: R.Tensor((1, n, 1), dtype="float32") = R.subtract(gv, gv)
            gv2: R.Tensor((1, n, 1), dtype="float32") = gv1
        else:
            gv2: R.Tensor((1, n, 1), dtype="float32") = gv
        gv3: R.Tensor((1, n), dtype="float32") = R.nn.batch_flatten(gv2)
        gv4: R.Tensor((1, n), dtype="float32") = R.eye_like(gv3, 1)
        return gv4
