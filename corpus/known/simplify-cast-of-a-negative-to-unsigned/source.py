# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def kernel(A: T.Buffer((), "uint64")):
        A[()] = T.Cast("uint64", T.int64(-3))

    @R.function
    def main() -> R.Tensor((), dtype="uint64"):
        cls = Module
        gv: R.Tensor((), dtype="uint64") = R.call_tir(cls.kernel, R.tuple(), out_ty=R.Tensor((), dtype="uint64"))
        return gv
