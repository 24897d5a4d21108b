from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 1, 1, 1), dtype="float32"), w: R.Tensor((1, 1, 1, 1), dtype="float64")) -> R.Tensor((), dtype="float32"):
        with R.dataflow():
            lv = R.nn.conv2d(x, w, out_dtype="float32")
            gv = R.sum(lv)
            R.output(gv)
        return gv
