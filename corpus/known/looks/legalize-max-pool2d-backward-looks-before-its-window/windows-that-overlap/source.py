# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 1, 6, 5), dtype="float32"), x1: R.Tensor((1, 1, 10, 10), dtype="float32")) -> R.Tensor((1, 1, 10, 10), dtype="float32"):
        gv: R.Tensor((1, 1, 10, 10), dtype="float32") = R.grad.max_pool2d_backward(x, x1, pool_size=[5, 5], strides=[2, 2], padding=[2, 1, 2, 1], dilation=[1, 1], ceil_mode=True, count_include_pad=False, layout="NCHW", out_layout="NCHW")
        return gv
