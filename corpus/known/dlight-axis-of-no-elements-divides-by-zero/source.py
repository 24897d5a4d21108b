# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 0, 2), dtype="float32")) -> R.Tensor((2, 0), dtype="int64"):
        gv: R.Tensor((2, 0), dtype="int64") = R.argmax(x, axis=2, keepdims=False)
        return gv
