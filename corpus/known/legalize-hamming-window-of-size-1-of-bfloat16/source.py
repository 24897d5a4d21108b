# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main() -> R.Tensor((1,), dtype="bfloat16"):
        gv: R.Tensor((1,), dtype="bfloat16") = R.hamming_window(1, R.prim_value(True), R.prim_value(T.float64(0.5)), R.prim_value(T.float64(0.0)), dtype="bfloat16")
        return gv
