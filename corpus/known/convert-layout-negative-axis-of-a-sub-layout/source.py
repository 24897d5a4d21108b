# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 4, 1, 1), dtype="float32"), x1: R.Tensor((4, 2, 1, 1), dtype="float32"), x2: R.Tensor((1,), dtype="float32")) -> R.Tensor((1, 4, 1, 1), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((1, 4, 1, 1), dtype="float32") = R.nn.conv2d(x, x1, strides=[1, 1], padding=[0, 0, 0, 0], dilation=[1, 1], groups=2, data_layout="NCHW", kernel_layout="OIHW", out_layout="NCHW")
            gv: R.Tensor((1, 4, 1, 1), dtype="float32") = R.nn.instance_norm(lv, x2, x2, channel_axis=0, axes=[-3, 2], epsilon=1e-05, center=True, scale=True)
            R.output(gv)
        return gv
