# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 2, 2, 2), dtype="float32"), x1: R.Tensor((2, 2, 1, 1), dtype="float32")) -> R.Tensor((2, 2, 2, 2), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((2, 2, 2, 2), dtype="float32") = R.nn.conv2d_transpose(x, x1, strides=[1, 1], padding=[0, 0, 0, 0], output_padding=[0, 0], dilation=[1, 1], groups=1, data_layout="NCHW", kernel_layout="IOHW", out_layout="NCHW")
            lv1: R.Tensor(dtype="float32", ndim=4) = R.match_cast(lv, R.Tensor(dtype="float32", ndim=4))
            gv: R.Tensor((2, 2, 2, 2), dtype="float32") = R.match_cast(lv1, R.Tensor((2, 2, 2, 2), dtype="float32"))
            R.output(gv)
        return gv
