# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main() -> R.Tuple(R.Tuple(), R.Tensor((), dtype="float32"), R.Tensor(dtype="float32", ndim=1), R.Tensor((), dtype="float32"), R.Tensor((1,), dtype="int64")):
        cls = Module
        gv: R.Tuple(R.Tuple(), R.Tensor((), dtype="float32"), R.Tensor(dtype="float32", ndim=1), R.Tensor((), dtype="float32"), R.Tensor((1,), dtype="int64")) = cls.f()
        return gv

    @R.function(private=True)
    def f() -> R.Tuple(R.Tuple(), R.Tensor((), dtype="float32"), R.Tensor(dtype="float32", ndim=1), R.Tensor((), dtype="float32"), R.Tensor((1,), dtype="int64")):
        n = T.int64()
        gv: R.Tuple() = R.tuple()
        gv1: R.Tensor((n,), dtype="float32") = R.match_cast(R.const([0.0], "float32"), R.Tensor((n,), dtype="float32"))
        gv2: R.Tensor((1,), dtype="int64") = R.multiply(R.const(0, "int64"), R.prim_value(n // 6))
        return (gv, R.const(0.0, "float32"), gv1, R.const(0.0, "float32"), gv2)
