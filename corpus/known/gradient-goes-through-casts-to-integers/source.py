from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2,), dtype="float32")) -> R.Tensor((), dtype="float32"):
        with R.dataflow():
            lv = R.astype(x, dtype="int32")
            lv1 = R.astype(lv, dtype="float32")
            gv = R.sum(lv1)
            R.output(gv)
        return gv
