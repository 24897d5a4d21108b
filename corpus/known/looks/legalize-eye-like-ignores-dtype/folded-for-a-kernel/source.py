# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def kernel(x: T.Buffer((T.int64(1), T.int64(1)), "bfloat16"), y: T.Buffer((T.int64(1), T.int64(1)), "bfloat16")):
        y[T.int64(0), T.int64(0)] = T.bfloat16(0.0)

    @R.function
    def main(x: R.Tensor((1, 1), dtype="float32")) -> R.Tensor((1, 1), dtype="bfloat16"):
        cls = Module
        with R.dataflow():
            lv: R.Tensor((1, 1), dtype="bfloat16") = R.eye_like(x, 0, dtype="bfloat16")
            gv: R.Tensor((1, 1), dtype="bfloat16") = R.call_tir(cls.kernel, (lv,), out_ty=R.Tensor((1, 1), dtype="bfloat16"))
            R.output(gv)
        return gv
