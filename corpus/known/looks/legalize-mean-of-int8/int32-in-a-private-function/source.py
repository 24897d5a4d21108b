# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def f() -> R.Tensor((), dtype="int32"):
        gv: R.Tensor((), dtype="int32") = R.mean(R.const([[0]], "int32"), keepdims=False)
        return gv

    @R.function
    def main() -> R.Tensor((), dtype="int32"):
        cls = Module
        gv: R.Tensor((), dtype="int32") = cls.f()
        return gv
