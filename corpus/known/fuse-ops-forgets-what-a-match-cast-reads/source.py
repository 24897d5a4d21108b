from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1,), dtype="float32")) -> R.Tensor((1,), dtype="float32"):
        with R.dataflow():
            y = R.negative(x)
            z = R.match_cast(y, R.Tensor((1,), dtype="float32"))
            v = R.sum(z, keepdims=True)
            w = R.add(y, v)
            R.output(w)
        return w
