# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def kernel(A: T.Buffer((), "int64")):
        A[()] = T.int64(1)

    @R.function
    def main() -> R.Tuple(R.Tuple(R.Tensor((), dtype="int64")), R.Tensor((), dtype="int64")):
        cls = Module
        with R.dataflow():
            lv: R.Tensor((), dtype="int64") = R.call_tir(cls.kernel, R.tuple(), out_ty=R.Tensor((), dtype="int64"))
            gv: R.Tuple(R.Tensor((), dtype="int64")) = (lv,)
            gv1: R.Tensor((), dtype="int64") = R.add(lv, lv)
            R.output(gv, gv1)
        return (gv, gv1)
