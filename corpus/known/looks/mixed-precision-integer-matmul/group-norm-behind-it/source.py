# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 1, 1, 1), dtype="float64"), x1: R.Tensor((1,), dtype="float64")) -> R.Tensor((1, 1, 1, 1), dtype="float64"):
        with R.dataflow():
            lv: R.Tensor((1, 1, 1, 1), dtype="float64") = R.nn.conv2d(x, x, strides=[1, 1], padding=[0, 0, 0, 0], dilation=[1, 1], groups=1, data_layout="NCHW", kernel_layout="OIHW", out_layout="NCHW")
            gv: R.Tensor((1, 1, 1, 1), dtype="float64") = R.nn.group_norm(lv, x1, x1, num_groups=1, channel_axis=1, axes=[0], epsilon=1e-05, center=True, scale=True)
            R.output(gv)
        return gv
