# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 1, 1, 1), dtype="float32")) -> R.Tensor((1, 1, 1, 1), dtype="float32"):
        gv: R.Tensor((1, 1, 1, 1), dtype="float32") = R.nn.conv2d(x, R.const([[[[0.0]]]], "float32"), strides=[1, 1], padding=[0, 0, 0, 0], dilation=[1, 1], groups=1, data_layout="NCHW", kernel_layout="OIHW", out_layout="NCHW")
        gv1: R.Tuple(R.Tensor((1, 1, 1, 1), dtype="float32"), R.Tensor((1,), dtype="float32"), R.Tensor((1,), dtype="float32")) = R.nn.batch_norm(gv, R.const([0.0], "float32"), R.const([0.0], "float32"), R.const([0.0], "float32"), R.const([0.0], "float32"), axis=0, epsilon=1e-05, center=True, scale=True, momentum=0.1, training=True)
        gv2: R.Tensor((1, 1, 1, 1), dtype="float32") = gv1[0]
        return gv2
