# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2,), dtype="float32"), x1: R.Tensor(("n", 2, "n + 2 - 2"), dtype="float32")) -> R.Tensor(("n", 2, "n + 2 - 2"), dtype="float32"):
        n = T.int64()
        gv: R.Tensor((n, 2, n + 2 - 2), dtype="float32") = R.nn.layer_norm(x1, x, x, axes=[1], epsilon=1e-05, center=True, scale=True)
        return gv
