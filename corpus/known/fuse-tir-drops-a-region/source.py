from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1,), dtype="float32")) -> R.Tensor((2,), dtype="float32"):
        with R.dataflow():
            y = R.exp(x)
            z = R.concat((y, y), axis=0)
            R.output(z)
        return z
