# from typing import TypeVar
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

n0 = TypeVar("n0")
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def kernel(A: T.Buffer((n0,), "int32")):
        B = T.alloc_buffer((), "int32")
        for i in T.serial(n0 + T.int64(1), annotations={"pragma_loop_partition_hint": 1}):
            with T.sblock("block"):
                T.where(i < n0)
                T.reads()
                T.writes(B[()])
                if i != T.int64(0):
                    T.evaluate(0)
                else:
                    B[()] = 0
        A[T.int64(0)] = B[()]

    @R.function
    def main() -> R.Tensor((1,), dtype="int32"):
        cls = Module
        gv: R.Tensor((1,), dtype="int32") = R.call_tir(cls.kernel, R.tuple(), out_ty=R.Tensor((1,), dtype="int32"))
        return gv
