# from tvm.script import ir as I
# from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((2,), "float32"), B: T.Buffer((2,), "float32")):
        C = T.alloc_buffer((2,), "float32")
        D = T.decl_buffer((2,), "float32", data=C.data)
        E = T.alloc_buffer((2,), "float32")
        for i in range(2):
            C[i] = A[i]
        for i in range(2):
            E[i] = D[1 - i]
        for i in range(2):
            B[i] = E[i]
