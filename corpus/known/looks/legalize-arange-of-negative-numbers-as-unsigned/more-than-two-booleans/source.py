# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main() -> R.Tensor((4,), dtype="bool"):
        gv: R.Tensor((4,), dtype="bool") = R.arange(-2, -12, -3, dtype="bool")
        return gv
