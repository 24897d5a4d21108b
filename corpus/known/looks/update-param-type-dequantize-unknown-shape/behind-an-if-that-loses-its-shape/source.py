# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((), dtype="bool"), x1: R.Tensor((2, "n"), dtype="float32"), x2: R.Tensor((), dtype="float32"), x3: R.Tensor(("n",), dtype="int32")) -> R.Tensor((2, "n"), dtype="float32"):
        n = T.int64()
        if x:
            gv1: R.Tensor((2, n), dtype="float32") = x1
        else:
            gv: R.Tensor((2, n), dtype="float32") = R.squeeze(x1, axis=[0])
            gv1: R.Tensor((2, n), dtype="float32") = gv
        gv2: R.Tensor((2, n), dtype="float32") = R.dequantize(gv1, x2, x3, axis=-1, out_dtype="float32")
        return gv2
