# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 2, 1), dtype="float32"), x1: R.Tensor((2, "n", 2), dtype="float32")) -> R.Tensor((2, "n + 2", 2), dtype="float32"):
        n = T.int64()
        gv: R.Tensor((2, n + 2, 2), dtype="float32") = R.nn.conv1d(x1, x, strides=[1], padding=[1, 1], dilation=[1], groups=1, data_layout="CWN", kernel_layout="OIW", out_layout="CWN")
        return gv
