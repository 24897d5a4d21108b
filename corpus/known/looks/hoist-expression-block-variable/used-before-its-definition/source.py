# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((3, 3, 3, 3), dtype="float32"), x1: R.Tensor((3, 3, 2, 2), dtype="float32"), x2: R.Tensor(("n", 1), dtype="float32")) -> R.Tuple(R.Tensor(("n", 0), dtype="float32"), R.Tensor((3, 3, 3, 3), dtype="float32")):
        n = T.int64()
        gv: R.Tensor((n, 0), dtype="float32") = R.strided_slice(x2, (1, 0), (3, 0), (3, n), (2, 1), assume_inbound=False)
        gv1: R.Tensor((n, 0), dtype="float32") = R.strided_slice(gv, (1, 0), (0, 0), (0, n), (2, 1), assume_inbound=False)
        gv2: R.Tensor((3, 3, 3, 3), dtype="float32") = R.grad.avg_pool2d_backward(x1, x, pool_size=[1, 2], strides=[2, 1], padding=[0, 0, 0, 0], dilation=[1, 1], ceil_mode=False, count_include_pad=False, layout="NCHW", out_layout="NCHW")
        return (gv1, gv2)
