# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 4, 1, 3), dtype="float32"), x1: R.Tensor((8, 1, 1, 1), dtype="float32"), x2: R.Tensor((), dtype="float32")) -> R.Tensor((), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((1, 8, 2, 4), dtype="float32") = R.nn.conv2d(x, x1, strides=[2, 1], padding=[1, 0, 1, 1], dilation=[1, 1], groups=4, data_layout="NCHW", kernel_layout="OIHW", out_layout="NCHW")
            lv1: R.Tensor((1, 8, 2, 4), dtype="float32") = R.match_cast(lv, R.Tensor((1, 8, 2, 4), dtype="float32"))
            R.output()
        return x2
