# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 2), dtype="float32"), x1: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n", 2), dtype="int64"):
        n = T.int64()
        gv: R.Tensor((n, 2), dtype="float32") = R.nn.layer_norm(x, x1, x1, axes=[0], epsilon=1e-05, center=True, scale=True)
        gv1: R.Tensor((n, 2), dtype="int64") = R.bucketize(gv, R.const([0.0], "float32"), out_int32=False, right=False)
        return gv1
