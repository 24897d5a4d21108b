# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 1, 1, 1), dtype="float32")) -> R.Tuple(R.Tensor((), dtype="float32"), R.Tensor((1, 1, 1, 1), dtype="float32")):
        @R.function
        def inner() -> R.Tensor((), dtype="float32"):
            gv: R.Tensor((), dtype="float32") = R.const(0.0, "float32")
            return gv
        gv1: R.Tensor((), dtype="float32") = inner()
        gv2: R.Tensor((1, 1, 1, 1), dtype="float32") = R.nn.conv2d(x, x, strides=[1, 1], padding=[0, 0, 0, 0], dilation=[1, 1], groups=1, data_layout="NCHW", kernel_layout="OIHW", out_layout="NCHW")
        return (gv1, gv2)
