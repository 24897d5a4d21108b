# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main() -> R.Tensor((), dtype="int32"):
        gv: R.Tensor((), dtype="int32") = R.multiply(R.const(-2147483648, "int32"), R.const(-2147483648, "int32"))
        return gv
