# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def kernel(A: T.Buffer((), "int64"), B: T.Buffer((), "int64")):
        C = T.alloc_buffer((), "int64")
        for i in T.serial(T.int64(2), annotations={"pragma_loop_partition_hint": 1}):
            for j in range(T.int64(2)):
                with T.sblock("block"):
                    T.where(i * T.int64(2) + j < T.int64(3))
                    T.reads(A[()])
                    T.writes(C[()])
                    C[()] = T.if_then_else(T.int64(1) <= i, T.int64(0), T.int64(0))
        B[()] = C[()]

    @R.function
    def main(x: R.Tensor((), dtype="int64")) -> R.Tensor((), dtype="int64"):
        cls = Module
        gv: R.Tensor((), dtype="int64") = R.call_tir(cls.kernel, (x,), out_ty=R.Tensor((), dtype="int64"))
        return gv
