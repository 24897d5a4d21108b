from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2,), dtype="float32")) -> R.Tensor((), dtype="float64"):
        with R.dataflow():
            gv = R.matmul(x, x, out_dtype="float64")
            R.output(gv)
        return gv
