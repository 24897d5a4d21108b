from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 1, 1, 2), dtype="float32")) -> R.Tensor((1, 2, 1, 2), dtype="float32"):
        with R.dataflow():
            y = R.nn.conv2d(x, R.const([[[[1.0]], [[2.0]]]], "float32"), kernel_layout="IOHW")
            z = R.nn.batch_norm(y, R.const([1.0, 2.0], "float32"), R.const([1.0, 3.0], "float32"), R.const([0.0, 1.0], "float32"), R.const([1.0, 4.0], "float32"), axis=1, training=False)
            r = z[0]
            R.output(r)
        return r
