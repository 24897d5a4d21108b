# from typing import TypeVar
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

n0 = TypeVar("n0")
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def kernel(A: T.Buffer((n0,), "uint32"), B: T.Buffer((n0,), "uint32")):
        T.func_attr({"tirx.noalias": True})
        T.evaluate(0)

    @T.prim_func(private=True, s_tir=True)
    def kernel1(A: T.Buffer((n0,), "uint32"), B: T.Buffer((n0,), "uint32")):
        T.func_attr({"tirx.noalias": True})
        C = T.alloc_buffer((n0,), "uint32")
        D = T.alloc_buffer((n0,), "uint32")
        E = T.alloc_buffer((n0,), "uint32")
        D[T.int64(0)] = T.uint32(0)
        for i in T.serial(n0, annotations={"pragma_loop_partition_hint": 1}):
            if i > i // T.int64(2):
                if i != T.int64(2):
                    E[i] = T.uint32(0)
            else:
                with T.sblock("block"):
                    vi = T.axis.spatial(n0, i)
                    T.where(i < n0)
                    T.reads(D[T.int64(0):n0])
                    T.writes(E[vi])
                    E[vi] = T.max(D[T.max(T.min((vi + T.int64(1)) // T.int64(2), n0 - T.int64(1)), T.int64(0))], T.uint32(0))
        for j in range(T.int64(1), T.int64(1) + (n0 - T.int64(1))):
            with T.sblock("block1"):
                vj = T.axis.opaque(n0, j)
                T.reads(E[T.int64(0):n0])
                T.writes(E[vj])
                E[vj] = E[vj] + E[vj - T.int64(1)]

    @R.function
    def f(x: R.Tensor(("n",), dtype="uint32")) -> R.Tuple(R.Tensor(("n",), dtype="uint32")):
        n = T.int64()
        cls = Module
        gv: R.Tensor((n,), dtype="uint32") = x
        gv1: R.Tensor((n,), dtype="uint32") = R.call_tir(cls.kernel1, (gv,), out_ty=R.Tensor((n,), dtype="uint32"))
        gv2: R.Tuple(R.Tensor((n,), dtype="uint32")) = (gv1,)
        return gv2

    @R.function
    def main(x: R.Tensor((1,), dtype="float32")) -> R.Tensor((1,), dtype="float32"):
        gv: R.Tensor((1,), dtype="float32") = R.argsort(x, axis=-1, descending=False, dtype="float32")
        return gv
