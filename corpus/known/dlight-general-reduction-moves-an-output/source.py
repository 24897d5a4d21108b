# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 2, 1), dtype="float32")) -> R.Tensor((2, 2, 1), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((2, 2, 1), dtype="float32") = R.nn.conv1d(x, x, strides=[1], padding=[0, 0], dilation=[1], groups=1, data_layout="NCW", kernel_layout="OIW", out_layout="NCW")
            gv: R.Tensor((2, 2, 1), dtype="float32") = R.permute_dims(lv, axes=[0, 1, 2])
            lv1: R.Tensor((2, 2, 1), dtype="float32") = R.match_cast(lv, R.Tensor((2, 2, 1), dtype="float32"))
            R.output(gv)
        return gv
