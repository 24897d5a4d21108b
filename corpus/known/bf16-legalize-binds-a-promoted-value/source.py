# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1,), dtype="bfloat16")) -> R.Tensor((), dtype="int64"):
        gv: R.Tensor((), dtype="int64") = R.argmax(x, keepdims=False)
        return gv
