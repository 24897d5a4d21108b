# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def kernel(A: T.Buffer((T.int64(3),), "float32")):
        B = T.alloc_buffer((T.int64(3),))
        C = T.alloc_buffer((T.int64(3),))
        for i in range(T.int64(3)):
            if i > T.int64(0):
                B[i] = T.float32(1.0)
            else:
                B[i] = T.float32(0.0)
        for j in range(T.int64(3)):
            C[j] = B[j]
        for k in range(T.int64(3)):
            A[k] = C[(k * T.int64(-1) + T.int64(1)) % T.int64(3)]

    @R.function
    def main() -> R.Tensor((3,), dtype="float32"):
        cls = Module
        gv: R.Tensor((3,), dtype="float32") = R.call_tir(cls.kernel, R.tuple(), out_ty=R.Tensor((3,), dtype="float32"))
        return gv
