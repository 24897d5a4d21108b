# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(w: R.Tensor((1, 1, 3), dtype="int16"), w3: R.Tensor((1, 1, 5), dtype="int16")) -> R.Tensor((1, 2, 5), dtype="int16"):
        with R.dataflow():
            lv1: R.Tensor((1, 1, 5), dtype="int16") = R.nn.conv1d_transpose(w, R.const([[[0, 0, 0]]], "int16"), strides=[2], padding=[2, 2], output_padding=[0], dilation=[2], groups=1, data_layout="NCW", kernel_layout="IOW", out_layout="NCW")
            lv7: R.Tensor((1, 2, 5), dtype="int16") = R.concat((lv1, w3), axis=-2)
            R.output(lv7)
        return lv7
