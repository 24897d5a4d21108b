# from typing import TypeVar
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

n0 = TypeVar("n0")
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def kernel(A: T.Buffer((T.int64(1), T.int64(2), n0), "float32")):
        B = T.alloc_buffer((T.int64(3), T.int64(7), n0 + T.int64(3)))
        C = T.alloc_buffer((T.int64(2), T.int64(8), n0))
        for i in T.serial(T.int64(2), annotations={"pragma_loop_partition_hint": 1}):
            for j, k in T.grid(T.int64(2), T.int64(2)):
                with T.sblock("block"):
                    vi = T.axis.spatial(T.int64(1), i)
                    vj = T.axis.spatial(T.int64(2), j)
                    vk = T.axis.spatial(n0, k)
                    T.where(i < T.int64(1))
                    T.reads()
                    T.writes(B[vi + T.int64(1), vj + T.int64(2), vk + T.int64(2)])
                    B[vi + T.int64(1), vj + T.int64(2), vk + T.int64(2)] = T.float32(0.0)
        for l in range(T.int64(2)):
            for i1 in T.serial(T.int64(2), annotations={"pragma_loop_partition_hint": 1}):
                for j1 in T.thread_binding(T.int64(2), thread="vthread.x"):
                    with T.sblock("block1"):
                        vl = T.axis.spatial(T.int64(2), l)
                        vi1 = T.axis.spatial(n0, i1 * T.int64(2) + j1)
                        T.where(i1 * T.int64(2) + j1 < n0)
                        T.reads(B[T.int64(0):T.int64(3), T.int64(0):T.int64(7), T.int64(0):n0 + T.int64(3)])
                        T.writes(C[T.int64(0), vl + T.int64(2), vi1])
                        C[T.int64(0), vl + T.int64(2), vi1] = B[T.int64(1), T.max(T.min(vi1, T.int64(3)), T.int64(0)) + T.int64(2), vi1 + T.int64(2)] + T.float32(1.0)
        for k1, l1 in T.grid(T.int64(2), T.int64(2)):
            A[T.int64(0), k1, l1] = T.if_then_else(T.int64(1) <= l1, C[T.int64(0), k1 + T.int64(2), l1 - T.int64(1)], T.float32(1.0)) + T.float32(1.0)

    @R.function
    def main() -> R.Tensor((1, 2, 2), dtype="float32"):
        cls = Module
        gv: R.Tensor((1, 2, 2), dtype="float32") = R.call_tir(cls.kernel, R.tuple(), out_ty=R.Tensor((1, 2, 2), dtype="float32"))
        return gv
