# from typing import TypeVar
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

n0 = TypeVar("n0")
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def kernel(A: T.Buffer((n0, T.int64(2)), "float32"), B: T.Buffer((), "float32")):
        offset7 = T.int64()
        C = T.alloc_buffer((n0, T.int64(2)))
        D = T.alloc_buffer((n0, T.int64(2)))
        E = T.alloc_buffer((n0, T.int64(2)))
        for i in range(n0):
            with T.sblock("block"):
                T.reads()
                T.writes(C[i, T.int64(0)])
                F = T.match_buffer(C[i, T.int64(0)], (T.int64(1), T.int64(1)), elem_offset=offset7)
                F[T.int64(0), T.int64(0)] = T.float32(0.0)
        D[T.Sub(T.int64(2), T.int64(2)), T.Add(T.int64(0), T.int64(0))] = T.if_then_else(T.int64(2) <= T.Add(T.int64(0), T.int64(0)), C[T.Sub(T.int64(2), T.int64(2)), T.Add(T.int64(0), T.int64(0)) - T.int64(2)], T.float32(2.0)) + T.Cast("float32", T.truncmod(T.min(T.Sub(T.int64(2), T.int64(2)), T.Sub(T.int64(2), T.int64(2)) * T.Sub(T.int64(2), T.int64(2))), T.int64(2)))
        for j in T.vectorized(T.int64(2)):
            E[T.int64(0), j] = D[(T.max(T.int64(2), n0) + j * n0 + T.truncmod(j % T.int64(2), T.int64(2))) % n0, j // T.int64(2) % T.int64(2)]
        with T.sblock("block1"):
            T.reads(E[T.int64(0):n0, T.int64(0):T.int64(2)])
            T.writes(B[()])
            with T.init():
                B[()] = T.float32(0.0)
            B[()] = T.min(B[()], E[T.int64(0), T.Add(T.int64(0), T.int64(0))])

    @R.function
    def main(x: R.Tensor((1, 2), dtype="float32")) -> R.Tensor((), dtype="float32"):
        cls = Module
        gv: R.Tensor((), dtype="float32") = R.call_tir(cls.kernel, (x,), out_ty=R.Tensor((), dtype="float32"))
        return gv
