# from typing import TypeVar
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

n0 = TypeVar("n0")
@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((n0, n0), "float32")):
        B = T.alloc_buffer(())
        for i in T.serial(n0, annotations={"pragma_loop_partition_hint": 1}):
            if i // T.int64(6) == T.int64(1):
                T.evaluate(0)
            else:
                B[()] = A[i, T.int64(0)]
