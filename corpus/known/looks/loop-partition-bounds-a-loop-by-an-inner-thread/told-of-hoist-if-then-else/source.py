# from typing import TypeVar
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

n0 = TypeVar("n0")
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def kernel(A: T.Buffer((T.int64(2), n0), "float32")):
        B = T.alloc_buffer(())
        C = T.alloc_buffer((T.int64(2), n0))
        for i in T.serial((n0 + T.int64(3)) // T.int64(2), annotations={"pragma_loop_partition_hint": 1}):
            with T.sblock("block"):
                T.where(i * T.int64(2) < n0)
                T.reads()
                T.writes(B[()])
                B[()] = T.float32(0.0)
        for j in T.serial(T.int64(2), annotations={"pragma_loop_partition_hint": 1}):
            for k in T.thread_binding(T.int64(2), thread="vthread.x"):
                with T.sblock("block1"):
                    T.where(j + k < n0)
                    T.reads(B[()])
                    T.writes(C[T.int64(1), j + k])
                    C[T.int64(1), j + k] = B[()]
        for l, i1 in T.grid(T.int64(2), T.int64(2)):
            A[l, i1] = T.Call("prim.if_then_else", [T.bool(False), C[T.int64(0), T.int64(0)], T.float32(0.0)], ret_ty="float32")

    @R.function
    def main() -> R.Tensor((2, 2), dtype="float32"):
        cls = Module
        gv: R.Tensor((2, 2), dtype="float32") = R.call_tir(cls.kernel, R.tuple(), out_ty=R.Tensor((2, 2), dtype="float32"))
        return gv
