# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def f(x: R.Tensor((), dtype="float32"), x1: R.Tensor((), dtype="float32")) -> R.Tuple(R.Tensor((), dtype="float32")):
        gv: R.Tuple(R.Tensor((), dtype="float32")) = (x,)
        return gv

    @R.function
    def f1(x: R.Tuple(R.Tensor((), dtype="float32"), R.Tensor((), dtype="float32"))) -> R.Tensor((), dtype="float32"):
        return R.const(0.0, "float32")

    @R.function(private=True)
    def f2(x: R.Tuple(R.Tensor((), dtype="float32"), R.Tensor((), dtype="float32"))) -> R.Tensor((), dtype="float32"):
        cls = Module
        gv: R.Tensor((), dtype="float32") = cls.f1(x)
        return gv

    @R.function
    def main(x: R.Tensor((), dtype="float32")) -> R.Tuple(R.Tensor((), dtype="float32")):
        cls = Module
        gv: R.Tuple(R.Tensor((), dtype="float32")) = cls.f(x, x)
        return gv
