# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 1, 1, 1), dtype="float32")) -> R.Tensor((), dtype="float16"):
        with R.dataflow():
            lv: R.Tensor((1, 1, 1, 1), dtype="float16") = R.nn.conv2d(x, x, strides=[1, 1], padding=[0, 0, 0, 0], dilation=[1, 1], groups=1, data_layout="NCHW", kernel_layout="OIHW", out_layout="NCHW", out_dtype="float16")
            gv: R.Tensor((), dtype="float16") = R.sum(lv, keepdims=False)
            R.output(gv)
        return gv
