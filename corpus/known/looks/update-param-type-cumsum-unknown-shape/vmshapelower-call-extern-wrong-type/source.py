# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, "n", 1), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        gv: R.Tensor((1, n, 1), dtype="float32") = R.nn.adaptive_avg_pool1d(x, output_size=[1], layout="NCW", out_layout="NCW")
        gv1: R.Tensor((n,), dtype="float32") = R.cumsum(gv, exclusive=False)
        return gv1
