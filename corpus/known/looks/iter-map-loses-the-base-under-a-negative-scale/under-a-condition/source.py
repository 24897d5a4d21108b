# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def kernel(A: T.Buffer((T.int64(3),), "float16"), B: T.Buffer((), "float16")):
        C = T.alloc_buffer((T.int64(3),), "float16")
        D = T.alloc_buffer((), "float16")
        for i in range(T.int64(3)):
            C[i] = A[i]
        for j in range(T.int64(3)):
            if T.int64(0) < j:
                D[()] = C[j * T.int64(-1) % T.int64(3)]
        B[()] = D[()]

    @R.function
    def main(x: R.Tensor((3,), dtype="float16")) -> R.Tensor((), dtype="float16"):
        cls = Module
        gv: R.Tensor((), dtype="float16") = R.call_tir(cls.kernel, (x,), out_ty=R.Tensor((), dtype="float16"))
        return gv
