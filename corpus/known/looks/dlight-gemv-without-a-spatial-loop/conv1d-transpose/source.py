# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 2, 1), dtype="float32"), x1: R.Tensor((2, 1, 1), dtype="float32")) -> R.Tensor((2, 2, 1), dtype="float32"):
        gv: R.Tensor((2, 2, 1), dtype="float32") = R.nn.conv1d_transpose(x, x1, strides=[1], padding=[0, 0], output_padding=[0], dilation=[1], groups=2, data_layout="NCW", kernel_layout="IOW", out_layout="NCW")
        return gv
