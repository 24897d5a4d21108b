# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 1, 1), dtype="float32")) -> R.Tensor((1, 1, 1), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((1, 1, 1), dtype="float32") = R.nn.conv1d_transpose(x, x, strides=[1], padding=[0, 0], output_padding=[0], dilation=[1], groups=1, data_layout="NCW", kernel_layout="IOW", out_layout="NCW")
            gv: R.Tensor((1, 1, 1), dtype="float32") = R.divide(x, lv)
            R.output(gv)
        return gv
