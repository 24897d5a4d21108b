from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 1), dtype="float32"), w0: R.Tensor((1, 2), dtype="float32"), w1: R.Tensor((1, 2), dtype="float32"), b0: R.Tensor((1,), dtype="float32"), b1: R.Tensor((1,), dtype="float32")) -> R.Tuple(R.Tensor((1, 2), dtype="float32"), R.Tensor((1, 2), dtype="float32")):
        with R.dataflow():
            m0 = R.matmul(x, w0)
            y0 = R.add(m0, b0)
            m1 = R.matmul(x, w1)
            y1 = R.add(m1, b1)
            R.output(y0, y1)
        return (y0, y1)
