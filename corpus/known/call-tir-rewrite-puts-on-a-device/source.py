# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm", 0, "global"), I.vdevice("llvm", 1, "global")]})
    @R.function
    def main(x: R.Tensor((2, 1), dtype="float32", vdevice="llvm:1:global"), x1: R.Tensor((1, 1, "n", 1), dtype="float32")) -> R.Tensor(dtype="float32", vdevice="llvm:1:global", ndim=4):
        n = T.int64()
        gv: R.Tensor((1, 1, n - 2, 1), dtype="float32") = R.nn.avg_pool2d(x1, pool_size=[3, 1], strides=[1, 1], padding=[0, 0, 0, 0], dilation=[1, 1], ceil_mode=False, count_include_pad=False, layout="NCHW", out_layout="NCHW")
        gv1: R.Tensor(dtype="float32", vdevice="llvm:1:global", ndim=4) = R.floor_divide(gv, x)
        return gv1
