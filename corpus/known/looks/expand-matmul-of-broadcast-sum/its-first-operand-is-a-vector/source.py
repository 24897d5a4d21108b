# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), dtype="float32"), x1: R.Tensor((3, 3), dtype="float32"), x2: R.Tensor((3,), dtype="float32")) -> R.Tensor((2, 3), dtype="float32"):
        gv: R.Tensor((3, 3), dtype="float32") = R.add(x2, x1)
        gv1: R.Tensor((2, 3), dtype="float32") = R.matmul(x, gv)
        return gv1
