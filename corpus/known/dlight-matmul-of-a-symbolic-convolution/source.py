# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 2, "n", 2), dtype="float32"), x1: R.Tensor((2, 2, 2, 1), dtype="float32")) -> R.Tensor(("n", 2, "n + 1", 2), dtype="float32"):
        n = T.int64()
        gv: R.Tensor((n, 2, n + 1, 2), dtype="float32") = R.nn.conv2d_transpose(x, x1, strides=[1, 1], padding=[0, 0, 0, 0], output_padding=[0, 0], dilation=[1, 1], groups=1, data_layout="NCHW", kernel_layout="IOHW", out_layout="NCHW")
        return gv
