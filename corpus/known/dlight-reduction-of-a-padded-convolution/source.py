# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 3, "n"), dtype="float32"), x1: R.Tensor((1, 3, 3), dtype="float32")) -> R.Tensor((1, 3, "n - 2"), dtype="float32"):
        n = T.int64()
        gv: R.Tensor((1, 3, n - 2), dtype="float32") = R.nn.conv1d(x, x1, strides=[1], padding=[0, 0], dilation=[1], groups=3, data_layout="NCW", kernel_layout="IOW", out_layout="NCW")
        return gv
