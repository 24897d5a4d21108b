# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 2, 1, 1, 2), dtype="float32"), x1: R.Tensor((2, 2, "n", 1, "n"), dtype="float32")) -> R.Tensor((2, 2, "n", 2, "n - 1"), dtype="float32"):
        n = T.int64()
        gv: R.Tensor((2, 2, n, 2, n - 1), dtype="float32") = R.nn.conv3d(x1, x, strides=[1, 1, 1], padding=[0, 1, 0, 0, 0, 0], dilation=[1, 1, 1], groups=1, data_layout="NCDHW", kernel_layout="OIDHW", out_layout="NCDHW")
        return gv
