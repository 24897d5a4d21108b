# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((0, 2), dtype="float32")) -> R.Tensor((0,), dtype="float32"):
        gv: R.Tensor((0,), dtype="float32") = R.mean(x, axis=[1], keepdims=False)
        return gv
