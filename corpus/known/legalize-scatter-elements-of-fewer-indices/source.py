# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 2, 1), dtype="float32"), x1: R.Tensor((2, 1, 1), dtype="int32"), x2: R.Tensor((2, 1, 1), dtype="float32")) -> R.Tensor((2, 2, 1), dtype="float32"):
        gv: R.Tensor((2, 2, 1), dtype="float32") = R.scatter_elements(x, x1, x2, axis=-1, reduction="update")
        return gv
