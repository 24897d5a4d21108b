# from typing import TypeVar
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

n0 = TypeVar("n0")
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def kernel(A: T.Buffer((n0,), "float32")):
        for i in T.serial(n0, annotations={"pragma_loop_partition_hint": 1}):
            A[i] = T.if_then_else(T.int64(1) <= i, T.float32(0.0), T.float32(0.0))

    @R.function
    def main() -> R.Tensor((0,), dtype="float32"):
        cls = Module
        gv: R.Tensor((0,), dtype="float32") = R.call_tir(cls.kernel, R.tuple(), out_ty=R.Tensor((0,), dtype="float32"))
        return gv
