from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1,), dtype="float32"), s: R.Tensor((), dtype="float32"), z: R.Tensor((), dtype="int8")) -> R.Tensor((1,), dtype="float32"):
        y = R.dequantize(x, s, z)
        return y
