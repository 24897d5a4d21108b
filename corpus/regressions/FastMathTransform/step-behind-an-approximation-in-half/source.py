# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), dtype="float16")) -> R.Tensor((4,), dtype="float16"):
        gv: R.Tensor((4,), dtype="float16") = R.erf(x)
        gv1: R.Tensor((4,), dtype="float16") = R.trunc(gv)
        return gv1
