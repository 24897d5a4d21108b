# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def f(x: R.Tensor((1,), dtype="int64")) -> R.Tensor((1,), dtype="int64"):
        return x

    @R.function
    def main(x: R.Tensor((), dtype="int64")) -> R.Tensor((1,), dtype="int64"):
        cls = Module
        gv: R.Tensor((1,), dtype="int64") = R.add(x, R.prim_value(1))
        gv1: R.Tensor((1,), dtype="int64") = cls.f(gv)
        return gv1
