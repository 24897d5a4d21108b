# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def kernel(A: T.Buffer((T.int64(3),), "float32"), B: T.Buffer((T.int64(3),), "float32")):
        offset4 = T.int64()
        C = T.alloc_buffer((T.int64(3),))
        for i in range(T.int64(3)):
            with T.sblock("block"):
                T.reads(A[T.int64(0):T.int64(3)])
                T.writes(C[i])
                D = T.match_buffer(C[i], (T.int64(1),), elem_offset=offset4)
                D[T.int64(0)] = A[(i * T.int64(-1) + T.int64(1)) % T.int64(3)]
        for j in range(T.int64(3)):
            B[j] = C[T.int64(0)]

    @R.function
    def main() -> R.Tensor((3,), dtype="float32"):
        cls = Module
        gv: R.Tensor((3,), dtype="float32") = R.call_tir(cls.kernel, (R.const([0.0, 1.0, 0.0], "float32"),), out_ty=R.Tensor((3,), dtype="float32"))
        return gv
