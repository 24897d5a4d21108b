from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2,), dtype="float32"), c: R.Tensor((3,), dtype="bool")) -> R.Tensor((), dtype="float32"):
        with R.dataflow():
            lv = R.matmul(x, x)
            lv1 = R.where(c, lv, lv)
            gv = R.sum(lv1)
            R.output(gv)
        return gv
