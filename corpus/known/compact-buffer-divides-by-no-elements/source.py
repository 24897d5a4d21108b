# from typing import TypeVar
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

n1 = TypeVar("n1")
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def kernel(A: T.Buffer((n1,), "float32")):
        T.func_attr({"tirx.noalias": True})
        B = T.alloc_buffer((T.int64(2),))
        B[T.int64(0)] = T.float32(0.0)
        for i in range(n1):
            A[T.int64(0)] = B[T.int64(1) % n1]

    @R.function
    def main() -> R.Tensor((0,), dtype="float32"):
        cls = Module
        gv: R.Tensor((0,), dtype="float32") = R.call_tir(cls.kernel, R.tuple(), out_ty=R.Tensor((0,), dtype="float32"))
        return gv
