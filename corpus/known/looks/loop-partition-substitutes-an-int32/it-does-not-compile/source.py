# from typing import TypeVar
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

n0 = TypeVar("n0")
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def kernel(A: T.Buffer((n0,), "float32")):
        B = T.alloc_buffer((n0,))
        C = T.alloc_buffer((n0,))
        for i in range(n0):
            C[T.Add(i, T.int64(0))] = T.float32(0.0)
        for j in T.serial(n0, annotations={"pragma_loop_partition_hint": 1}):
            with T.sblock("block"):
                T.reads(C[T.int64(0):n0])
                T.writes(A[j])
                with T.init():
                    A[j] = T.float32(0.0)
                A[j] = A[j] + T.if_then_else(T.int64(1) <= j, C[j - T.int64(1)], T.float32(2.0))

    @R.function
    def main() -> R.Tensor((1,), dtype="float32"):
        cls = Module
        gv: R.Tensor((1,), dtype="float32") = R.call_tir(cls.kernel, R.tuple(), out_ty=R.Tensor((1,), dtype="float32"))
        return gv
