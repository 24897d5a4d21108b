from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1,), dtype="float32")) -> R.Tensor((), dtype="int64"):
        with R.dataflow():
            y = R.median(x, axis=[0], keepdims=False)
            z = y[1]
            R.output(z)
        return z
