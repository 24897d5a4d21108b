# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def kernel(A: T.Buffer((T.int64(1), T.int64(1)), "bfloat16"), B: T.Buffer((T.int64(1), T.int64(1)), "bfloat16")):
        B[T.int64(0), T.int64(0)] = T.bfloat16(0.0)

    @R.function
    def main(x: R.Tensor((1, 1), dtype="float32")) -> R.Tensor((1, 1), dtype="bfloat16"):
        cls = Module
        gv: R.Tensor((1, 1), dtype="bfloat16") = R.eye_like(x, 0, dtype="bfloat16")
        gv1: R.Tensor((1, 1), dtype="bfloat16") = R.call_tir(cls.kernel, (gv,), out_ty=R.Tensor((1, 1), dtype="bfloat16"))
        return gv1
