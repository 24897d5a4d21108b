# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 2, 2, 1), dtype="float32"), x1: R.Tensor((1, 2, 1, 1), dtype="float32")) -> R.Tensor((2, 2, 2, 1), dtype="float64"):
        with R.dataflow():
            lv: R.Tensor((2, 2, 2, 1), dtype="float64") = R.nn.conv2d(x, x1, strides=[1, 1], padding=[0, 0, 0, 0], dilation=[1, 1], groups=2, data_layout="NCHW", kernel_layout="IOHW", out_layout="NCHW", out_dtype="float64")
            gv: R.Tensor((2, 2, 2, 1), dtype="float64") = R.nn.attention_bias(lv, lv, x, R.const([[[[0.0, 1.0]]]], "float64"))
            R.output(gv)
        return gv
