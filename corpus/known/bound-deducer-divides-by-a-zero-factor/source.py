# from typing import TypeVar
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

n0 = TypeVar("n0")
n1 = TypeVar("n1")
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def kernel(A: T.Buffer((n0, n1), "float32")):
        for i in T.serial(T.int64(2), annotations={"pragma_loop_partition_hint": 1}):
            for j in T.serial(T.int64(2), annotations={"pragma_loop_partition_hint": 1}):
                if T.int64(0) != i:
                    A[i, j] = T.Select(i * j < n1, T.float32(0.0), T.float32(1.0))
                else:
                    A[i, j] = T.float32(0.0)

    @R.function
    def main() -> R.Tensor((2, 2), dtype="float32"):
        cls = Module
        gv: R.Tensor((2, 2), dtype="float32") = R.call_tir(cls.kernel, R.tuple(), out_ty=R.Tensor((2, 2), dtype="float32"))
        return gv
