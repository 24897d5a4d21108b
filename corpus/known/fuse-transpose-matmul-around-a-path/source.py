from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(w: R.Tensor((1, 1), dtype="float32")) -> R.Tensor((1, 1), dtype="float32"):
        with R.dataflow():
            t = R.permute_dims(w)
            x = R.exp(t)
            y = R.matmul(x, t)
            R.output(y)
        return y
