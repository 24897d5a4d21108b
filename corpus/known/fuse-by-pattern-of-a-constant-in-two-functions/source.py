from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1,), dtype="float32"), w: R.Tensor((1,), dtype="float32")) -> R.Tensor((), dtype="float32"):
        with R.dataflow():
            gv = R.const(-1.5, "float32")
            R.output(gv)
        return gv
