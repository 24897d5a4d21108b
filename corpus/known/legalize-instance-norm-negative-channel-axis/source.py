# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 1), dtype="float32"), w: R.Tensor((1,), dtype="float32")) -> R.Tensor((1, 1), dtype="float32"):
        gv: R.Tensor((1, 1), dtype="float32") = R.nn.instance_norm(x, w, w, channel_axis=-1, axes=[0], epsilon=1e-05, center=True, scale=True)
        return gv
