# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def f(x: R.Tensor((), dtype="float32")) -> R.Tensor((), dtype="float32"):
        return x

    @R.function
    def main(x: R.Tensor((), dtype="float32")) -> R.Tensor((), dtype="float32"):
        cls = Module
        gv: R.Tensor((), dtype="float32") = cls.f(x)
        return gv
