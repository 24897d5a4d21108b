# from typing import TypeVar
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

n0 = TypeVar("n0")
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def kernel(A: T.Buffer((n0,), "int16"), B: T.Buffer((), "int16")):
        offset17 = T.int64()
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        C = T.sblock_alloc_buffer((n0,), "int16")
        D = T.sblock_alloc_buffer((n0,), "int16")
        E = T.sblock_alloc_buffer((n0,), "int16")
        for i in T.serial(n0, annotations={"pragma_loop_partition_hint": 1}):
            for j in range(T.int64(1)):
                with T.sblock("block"):
                    vi = T.axis.spatial(n0, i + j)
                    T.reads(C[T.int64(0):n0])
                    T.writes(D[vi])
                    D[vi] = T.max(T.if_then_else(vi + T.int64(2) < n0, C[vi + T.int64(2)], T.int16(1)), T.int16(2))
        with T.sblock("block1"):
            T.reads(D[T.int64(0):n0])
            T.writes(E[T.int64(0)])
            F = T.match_buffer(E[T.int64(0)], (T.int64(1),), "int16", elem_offset=offset17)
            F[T.int64(0)] = T.max(T.if_then_else(T.LE(T.int64(1), T.int64(0)), D[T.Sub(T.int64(0), T.int64(1))], T.int16(1)), T.int16(-1))
        with T.sblock("block2"):
            T.reads()
            T.writes(B[()])
            with T.init():
                B[()] = T.int16(2)
            T.evaluate(0)

    @R.function
    def main(x: R.Tensor((1,), dtype="int16")) -> R.Tensor((), dtype="int16"):
        cls = Module
        gv: R.Tensor((), dtype="int16") = R.call_tir(cls.kernel, (x,), out_ty=R.Tensor((), dtype="int16"))
        return gv
