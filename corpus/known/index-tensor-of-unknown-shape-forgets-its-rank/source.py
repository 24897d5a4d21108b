from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def copy(A: T.Buffer((T.int64(1),), "float32"), B: T.Buffer((T.int64(1),), "float32")):
        B[T.int64(0)] = A[T.int64(0)]

    @R.function
    def main(x: R.Tensor((1,), dtype="float32"), i: R.Tensor((1,), dtype="int32")) -> R.Tensor((1,), dtype="float32"):
        cls = Module
        y = R.index_tensor(x, (i,))
        z = R.call_tir(cls.copy, (y,), out_ty=R.Tensor((1,), dtype="float32"))
        return z
