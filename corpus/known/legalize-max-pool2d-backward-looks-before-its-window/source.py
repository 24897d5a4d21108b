# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 1, 1, 1, 2), dtype="float32")) -> R.Tensor((1, 1, 1, 1, 2), dtype="float32"):
        gv: R.Tensor((1, 1, 1, 1, 2), dtype="float32") = R.grad.max_pool2d_backward(x, x, pool_size=[1, 3], strides=[1, 1], padding=[0, 0, 0, 2], dilation=[1, 1], ceil_mode=False, count_include_pad=False, layout="NCHW2c", out_layout="NCHW2c")
        return gv
