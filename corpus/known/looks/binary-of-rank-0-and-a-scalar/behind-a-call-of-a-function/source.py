# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def f(x: R.Tensor((), dtype="int64")) -> R.Tensor((1,), dtype="int64"):
        n = T.int64()
        gv: R.Tensor((n,), dtype="float32") = R.match_cast(R.const([0.0], "float32"), R.Tensor((n,), dtype="float32"))
        gv1: R.Tensor((1,), dtype="int64") = R.subtract(x, R.prim_value(T.max(n - n, n % 6)))
        return gv1

    @R.function
    def main(x: R.Tensor((), dtype="int64")) -> R.Tensor((1,), dtype="int64"):
        cls = Module
        gv: R.Tensor((1,), dtype="int64") = cls.f(x)
        return gv
