# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main() -> R.Tensor((2,), dtype="uint64"):
        gv: R.Tensor((2,), dtype="uint64") = R.arange(-4, -2, 1, dtype="uint64")
        return gv
