# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1,), dtype="float32"), x1: R.Tensor((1, "n"), dtype="float32"), x2: R.Tensor((), dtype="bool")) -> R.Tensor(("n", 1), dtype="float32"):
        n = T.int64()
        if x2:
            gv: R.Tensor((1, n), dtype="float32") = R.nn.softplus(x1, beta=1.0, threshold=20.0)
            gv1: R.Tensor((1, n), dtype="float32") = gv
        else:
            gv1: R.Tensor((1, n), dtype="float32") = x1
        gv2: R.Tensor((n,), dtype="float32") = R.cumprod(gv1, exclusive=False)
        gv3: R.Tensor((n, 1), dtype="float32") = R.outer(gv2, x)
        return gv3
