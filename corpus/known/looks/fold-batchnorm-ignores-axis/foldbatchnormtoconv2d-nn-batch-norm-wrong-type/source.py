# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x3: R.Tensor((1, 2, 3, 2), dtype="float32")) -> R.Tensor((1, 1, 3, 2), dtype="float32"):
        with R.dataflow():
            lv2: R.Tensor((1, 1, 3, 2), dtype="float32") = R.nn.conv2d(x3, R.const([[[[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]], [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]]], "float32"), strides=[1, 1], padding=[1, 1, 1, 1], dilation=[1, 1], groups=1, data_layout="NCHW", kernel_layout="OIHW", out_layout="NCHW")
            lv3: R.Tuple(R.Tensor((1, 1, 3, 2), dtype="float32"), R.Tensor((2,), dtype="float32"), R.Tensor((2,), dtype="float32")) = R.nn.batch_norm(lv2, R.const([0.0, 0.0], "float32"), R.const([0.0, 0.0], "float32"), R.const([0.0, 0.0], "float32"), R.const([0.0, 0.0], "float32"), axis=3, epsilon=1.0, center=False, scale=True, momentum=0.25, training=False)
            lv4: R.Tensor((1, 1, 3, 2), dtype="float32") = lv3[0]
            R.output(lv4)
        return lv4
