from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 1, 1), dtype="float32"), w: R.Tensor((1, 1, 1), dtype="float32")) -> R.Tensor((1, 1, 1), dtype="float32"):
        with R.dataflow():
            t = R.permute_dims(w)
            y = R.matmul(x, t)
            R.output(y)
        return y
