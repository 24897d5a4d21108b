# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main() -> R.Tensor((1, 1, 1, 1, 1), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((1, 1, 1, 1, 1), dtype="float32") = R.grad.max_pool2d_backward(R.const([[[[[0.0]]]]], "float32"), R.const([[[[[0.0]]]]], "float32"), pool_size=[1, 3], strides=[1, 3], padding=[0, 0, 0, 2], dilation=[1, 1], ceil_mode=False, count_include_pad=False, layout="NCHW1c", out_layout="NCHW1c")
            gv: R.Tensor((1, 1, 1, 1, 1), dtype="float32") = R.cos(lv)
            R.output(gv)
        return gv
