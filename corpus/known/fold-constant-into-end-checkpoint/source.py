from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main() -> R.Tensor((1,), dtype="float32"):
        with R.dataflow():
            x = R.ones(R.shape([1]), dtype="float32")
            y = R.grad.end_checkpoint(x)
            R.output(y)
        return y
