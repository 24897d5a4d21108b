# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, "n", 2, 2), dtype="float32"), x1: R.Tensor((1, 1, 1, 1), dtype="float32"), x2: R.Tensor(("n", 2), dtype="float32")) -> R.Tensor((1, "n", 2, 1), dtype="float32"):
        n = T.int64()
        gv: R.Tensor((1, n, 2, 2), dtype="float32") = R.nn.layer_norm(x, x2, x2, axes=[1, -1], epsilon=1e-05, center=True, scale=True)
        gv1: R.Tensor((1, n, 2, 1), dtype="float32") = R.nn.attention_bias(gv, x, x1, x1)
        return gv1
