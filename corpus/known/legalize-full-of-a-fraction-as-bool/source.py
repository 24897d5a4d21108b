# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((), dtype="bool")) -> R.Tensor((), dtype="bool"):
        gv: R.Tensor((), dtype="bool") = R.full_like(x, R.const(0.5, "float16"))
        return gv
