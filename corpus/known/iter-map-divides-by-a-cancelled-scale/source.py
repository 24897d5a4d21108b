from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def kernel(A: T.Buffer((T.int64(2),), "float32"), B: T.Buffer((T.int64(2),), "float32")):
        C = T.alloc_buffer((T.int64(2),))
        for i in range(T.int64(2)):
            C[i] = A[i]
        for j in range(T.int64(2)):
            with T.sblock("block"):
                vj = T.axis.spatial(T.int64(2), j)
                T.reads(C[T.int64(0):T.int64(2)])
                T.writes(B[vj])
                B[vj] = C[(vj // T.int64(4) + vj - vj) % T.int64(2)]

    @R.function
    def main(x: R.Tensor((2,), dtype="float32")) -> R.Tensor((2,), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.kernel, (x,), out_ty=R.Tensor((2,), dtype="float32"))
        return y
