# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, "n"), dtype="float32"), x1: R.Tensor((), dtype="bool"), x2: R.Tensor((), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        if x1:
            gv: R.Tensor((1, n), dtype="float32") = R.multiply(x2, x)
            gv1: R.Tensor((1, n), dtype="float32") = gv
        else:
            gv1: R.Tensor((1, n), dtype="float32") = x
        gv2: R.Tensor((n,), dtype="float32") = R.cumprod(gv1, exclusive=False)
        return gv2
