# from typing import TypeVar
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

n0 = TypeVar("n0")
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def kernel(A: T.Buffer((n0, n0, T.int64(1)), "bfloat16")):
        T.func_attr({"tirx.noalias": True})
        B = T.alloc_buffer((n0, n0, T.int64(1)), "bfloat16")
        C = T.alloc_buffer((n0 + T.int64(2), n0 + T.int64(2), T.int64(7)), "bfloat16")
        for i, j in T.grid(T.int64(2), T.int64(2)):
            for k in T.serial(T.int64(2), annotations={"pragma_loop_partition_hint": 1}):
                for l in T.thread_binding(T.int64(2), thread="vthread.x"):
                    with T.sblock("block"):
                        vi = T.axis.spatial(n0, T.Add(T.Mul(i, T.int64(1)), T.int64(0)))
                        vj = T.axis.spatial(n0, j)
                        vk = T.axis.spatial(T.int64(1), k * T.int64(2) + l)
                        T.where(T.Add(T.Mul(i, T.int64(1)), T.int64(0)) < n0 and k * T.int64(2) + l < T.int64(1))
                        T.reads()
                        T.writes(B[vi, vj, vk])
                        B[vi, vj, vk] = T.bfloat16(0.0)
        for i1, j1 in T.grid(T.int64(2), T.int64(2)):
            C[i1 + T.int64(2), j1 + T.int64(1), T.Add(T.Mul(T.int64(0), T.int64(2)), T.int64(0)) + T.int64(2)] = B[i1, j1 % n0, T.max(T.min(T.FloorMod(T.max(i1, T.int64(0)), T.int64(1)), T.int64(2)), T.int64(0))] + T.Cast("bfloat16", T.int64(-1))
        for k1, l1 in T.grid(T.int64(2), T.int64(2)):
            A[k1, l1, T.Add(T.Mul(T.int64(0), T.int64(1)), T.int64(0))] = T.max(T.if_then_else(k1 + T.int64(1) < n0, C[k1 + T.int64(1) + T.int64(2), l1 + T.int64(1), T.Add(T.Mul(T.int64(0), T.int64(1)), T.int64(0)) + T.int64(2)], T.bfloat16(0.0)), T.bfloat16(-2.0))

    @R.function
    def main() -> R.Tensor((2, 2, 1), dtype="bfloat16"):
        cls = Module
        gv: R.Tensor((2, 2, 1), dtype="bfloat16") = R.call_tir(cls.kernel, R.tuple(), out_ty=R.Tensor((2, 2, 1), dtype="bfloat16"))
        return gv
