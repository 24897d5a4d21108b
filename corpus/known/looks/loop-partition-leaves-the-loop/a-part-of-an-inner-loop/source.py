# from typing import TypeVar
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

n0 = TypeVar("n0")
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def kernel(A: T.Buffer((n0,), "float32"), B: T.Buffer((n0,), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        C = T.sblock_alloc_buffer((n0 + T.int64(2),))
        for i in range((n0 + T.int64(2)) // T.int64(2)):
            for j in T.serial(T.int64(2), annotations={"pragma_loop_partition_hint": 1}):
                for k in range(n0):
                    with T.sblock("block"):
                        vi = T.axis.spatial(n0, i * T.int64(2) + j)
                        vj = T.axis.spatial(n0, k)
                        T.where(i * T.int64(2) + j < n0)
                        T.reads(C[T.int64(0):n0 + T.int64(2)])
                        T.writes(B[vi])
                        B[vi] = T.Select((T.Mul(T.int64(-4), T.int64(2)) + T.int64(2)) % T.int64(2) == T.Mod(T.int64(2), T.int64(1)), T.if_then_else(vi + T.int64(2) < n0, C[vi + T.int64(2) + T.int64(1)], T.float32(2.0)), T.if_then_else(vi + T.int64(2) < n0, C[vi + T.int64(2) + T.int64(1)], T.float32(2.0)) + T.float32(1.0))

    @R.function
    def main(x: R.Tensor((1,), dtype="float32")) -> R.Tensor((1,), dtype="float32"):
        cls = Module
        gv: R.Tensor((1,), dtype="float32") = R.call_tir(cls.kernel, (x,), out_ty=R.Tensor((1,), dtype="float32"))
        return gv
