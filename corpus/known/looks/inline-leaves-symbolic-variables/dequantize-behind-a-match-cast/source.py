# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def f(x: R.Tuple(R.Tensor(("n",), dtype="float32"), R.Tensor(("n",), dtype="float32")), x1: R.Tensor((), dtype="float32"), x2: R.Tensor(("n",), dtype="int32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        gv: R.Tensor((n,), dtype="float32") = x[1]
        gv1: R.Tensor((n,), dtype="float32") = R.match_cast(gv, R.Tensor((n,), dtype="float32"))
        gv2: R.Tensor((n,), dtype="float32") = R.dequantize(gv1, x1, x2, axis=-1, out_dtype="float32")
        return gv2

    @R.function
    def main(x: R.Tensor((2,), dtype="float32"), x1: R.Tensor((), dtype="float32"), x2: R.Tensor((2,), dtype="int32")) -> R.Tensor((2,), dtype="float32"):
        cls = Module
        gv: R.Tensor((2,), dtype="float32") = cls.f((x, x), x1, x2)
        return gv
