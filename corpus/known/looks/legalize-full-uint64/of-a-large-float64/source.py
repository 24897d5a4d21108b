# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main() -> R.Tensor((), dtype="float64"):
        gv: R.Tensor((), dtype="float64") = R.full(R.shape([]), R.const(1.7976931348623157e+308, "float64"))
        return gv
