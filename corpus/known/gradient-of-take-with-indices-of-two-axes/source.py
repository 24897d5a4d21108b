from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2,), dtype="float32")) -> R.Tensor((), dtype="float32"):
        with R.dataflow():
            lv = R.take(x, R.const([[0]], "int64"))
            gv = R.sum(lv)
            R.output(gv)
        return gv
