# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2,), dtype="float32"), x1: R.Tensor((1, 2, "n"), dtype="float32")) -> R.Tensor((1, 2, "n"), dtype="float32"):
        n = T.int64()
        gv: R.Tensor((1, 2, n), dtype="float32") = R.nn.group_norm(x1, x, x, num_groups=1, channel_axis=1, axes=[0], epsilon=1e-05, center=True, scale=True)
        return gv
