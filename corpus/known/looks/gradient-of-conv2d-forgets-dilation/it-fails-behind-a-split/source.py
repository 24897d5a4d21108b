from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 1, 3, 1), dtype="float32"), w: R.Tensor((1, 1, 2, 1), dtype="float32")) -> R.Tensor((), dtype="float32"):
        with R.dataflow():
            lv = R.split(x, indices_or_sections=2, axis=0)
            lv1 = lv[0]
            lv2 = R.nn.conv2d(lv1, w, strides=[3, 1], dilation=[2, 1])
            gv = R.sum(lv2)
            R.output(gv)
        return gv
