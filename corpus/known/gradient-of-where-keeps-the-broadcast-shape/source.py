from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((), dtype="float32"), c: R.Tensor((2,), dtype="bool")) -> R.Tensor((), dtype="float32"):
        with R.dataflow():
            lv = R.where(c, x, R.const([3.0, 4.0], "float32"))
            gv = R.sum(lv)
            R.output(gv)
        return gv
