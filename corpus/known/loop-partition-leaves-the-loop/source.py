# from typing import TypeVar
# from tvm.script import ir as I
# from tvm.script import tirx as T

n = TypeVar("n")
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((n,), "float32")):
        B = T.alloc_buffer((1,), "float32")
        for i in T.serial(n, annotations={"pragma_loop_partition_hint": 1}):
            if i // T.int64(6) == T.int64(1):
                T.evaluate(0)
            else:
                B[0] = A[i]
