from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 1), dtype="float32"), w: R.Tensor((1,), dtype="float32"), v: R.Tensor((1,), dtype="float32")) -> R.Tuple(R.Tensor((1,), dtype="float32"), R.Tensor((1,), dtype="float32")):
        with R.dataflow():
            y = R.matmul(x, w)
            z = R.matmul(x, v)
            R.output(y, z)
        return (y, z)
