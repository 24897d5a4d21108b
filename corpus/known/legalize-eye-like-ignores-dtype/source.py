# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 1), dtype="float32")) -> R.Tensor((1, 1), dtype="float16"):
        gv: R.Tensor((1, 1), dtype="float16") = R.eye_like(x, 0, dtype="float16")
        return gv
