# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 2), dtype="int32")) -> R.Tensor((2,), dtype="int64"):
        gv: R.Tensor((2,), dtype="int64") = R.argmin(x, axis=0, keepdims=False)
        return gv
