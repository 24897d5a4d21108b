# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main() -> R.Tensor((), dtype="uint32"):
        gv: R.Tensor((), dtype="uint32") = R.astype(R.const(-1, "int32"), dtype="uint32")
        return gv
