# from typing import TypeVar
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

n1 = TypeVar("n1")
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def kernel(A: T.Buffer((n1,), "float32")):
        for i in T.serial(n1, annotations={"pragma_loop_partition_hint": 1}):
            A[i] = T.if_then_else(T.int64(2) <= i, T.float32(0.0), T.float32(0.0))

    @R.function
    def main() -> R.Tensor((1,), dtype="float32"):
        cls = Module
        gv: R.Tensor((1,), dtype="float32") = R.call_tir(cls.kernel, R.tuple(), out_ty=R.Tensor((1,), dtype="float32"))
        return gv
