# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def f(x: R.Tensor(("n",), dtype="float32"), x1: R.Tensor(("n",), dtype="int32")) -> R.Tensor(("n",), dtype="int8"):
        n = T.int64()
        gv: R.Tensor((n,), dtype="float32") = R.match_cast(x, R.Tensor((n,), dtype="float32"))
        gv1: R.Tensor((n,), dtype="int8") = R.quantize(gv, R.const(0.0, "float32"), x1, axis=-1, out_dtype="int8")
        return gv1

    @R.function
    def main(x: R.Tensor((2,), dtype="int32"), x1: R.Tensor((2,), dtype="float32")) -> R.Tensor((2,), dtype="int8"):
        cls = Module
        gv: R.Tensor((2,), dtype="int8") = cls.f(x1, x)
        return gv
