# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def kernel(A: T.Buffer((T.int64(4),), "int64"), B: T.Buffer((T.int64(4),), "int64")):
        C = T.alloc_buffer((T.int64(3),), "int64")
        D = T.alloc_buffer((), "int64")
        for i in range(T.int64(2)):
            C[i * T.int64(2)] = A[i * T.int64(2)]
        for j in range(T.int64(4)):
            D[()] = C[(j * T.int64(-2) + T.int64(2)) % T.int64(4)]
        for k in range(T.int64(4)):
            B[k] = D[()]

    @R.function
    def main(x: R.Tensor((4,), dtype="int64")) -> R.Tensor((4,), dtype="int64"):
        cls = Module
        gv: R.Tensor((4,), dtype="int64") = R.call_tir(cls.kernel, (x,), out_ty=R.Tensor((4,), dtype="int64"))
        return gv
