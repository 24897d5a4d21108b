# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(w1: R.Tensor((1, 1), dtype="float32")) -> R.Tensor((1,), dtype="float32"):
        lv4: R.Tensor((1,), dtype="float32") = R.einsum((w1, w1), subscripts="ij,ij->i")
        return lv4
