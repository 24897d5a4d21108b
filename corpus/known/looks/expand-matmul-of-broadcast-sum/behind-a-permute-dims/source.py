# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 1, 1), dtype="float32"), x1: R.Tensor((1,), dtype="float32")) -> R.Tensor((1, 1), dtype="float32"):
        gv: R.Tensor((1, 1, 1), dtype="float32") = R.add(R.const(0.0, "float32"), x)
        gv1: R.Tensor((1, 1, 1), dtype="float32") = R.permute_dims(gv, axes=[0, 2, 1])
        gv2: R.Tensor((1, 1), dtype="float32") = R.matmul(x1, gv1)
        return gv2
