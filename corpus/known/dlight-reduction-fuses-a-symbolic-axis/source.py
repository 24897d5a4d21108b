# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 2, "n", 2), dtype="float32")) -> R.Tensor((2, "n", 2), dtype="float32"):
        n = T.int64()
        gv: R.Tensor((2, n, 2), dtype="float32") = R.mean(x, axis=[0], keepdims=False)
        return gv
