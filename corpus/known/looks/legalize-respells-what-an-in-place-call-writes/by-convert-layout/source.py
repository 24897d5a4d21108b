# from typing import TypeVar
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

n0 = TypeVar("n0")
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def kernel(A: T.Buffer((n0,), "float32"), B: T.Buffer((n0,), "float32")):
        B[T.int64(0)] = T.float32(0.0)

    @R.function
    def main(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            lv: R.Tensor((n,), dtype="float32") = R.strided_slice(x, (0,), (0,), (n,), (1,), assume_inbound=False)
            gv: R.Tensor((n,), dtype="float32") = R.call_tir(cls.kernel, (lv,), out_ty=R.Tensor((n,), dtype="float32"))
            R.output(gv)
        return gv
