# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def f(x: R.Tensor((), dtype="float32")) -> R.Tensor((), dtype="float32"):
        return x

    @R.function
    def main() -> R.Tensor((), dtype="float32"):
        cls = Module
        gv: R.Callable((R.Tensor((), dtype="float32"),), R.Tensor((), dtype="float32"), True) = cls.f
        gv1: R.Tensor((), dtype="float32") = gv(R.const(0.0, "float32"))
        return gv1
