# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 4, 4), dtype="float32"), x1: R.Tensor((1, 1, 8), dtype="float32")) -> R.Tensor((1, 8, 4), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((1, 8, 4), dtype="float32") = R.nn.conv1d(x, x1, strides=[1], padding=[0, 0], dilation=[1], groups=4, data_layout="NCW", kernel_layout="WIO", out_layout="NCW")
            gv: R.Tensor((1, 8, 4), dtype="float32") = R.atan2(lv, R.const([0.0, -1.0, 0.0, 0.0], "float32"))
            R.output(gv)
        return gv
