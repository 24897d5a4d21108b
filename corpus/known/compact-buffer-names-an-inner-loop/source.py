# from typing import TypeVar
# from tvm.script import ir as I
# from tvm.script import tirx as T

n = TypeVar("n")
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((n,), "float32"), B: T.Buffer((n,), "float32")):
        C = T.alloc_buffer((n,), "float32")
        C[T.int64(0)] = A[T.int64(0)]
        for i in range(T.int64(2)):
            if i // T.int64(2) < i:
                B[i] = T.float32(0.0)
            else:
                B[i] = C[T.min((i + T.int64(1)) // T.int64(2), n - T.int64(1))]
