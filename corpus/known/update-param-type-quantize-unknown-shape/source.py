from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1,), dtype="float32"), s: R.Tensor((1,), dtype="float32")) -> R.Tensor(dtype="int8", ndim=1):
        with R.dataflow():
            y = R.quantize(x, s, R.const(0, "int32"), axis=0, out_dtype="int8")
            R.output(y)
        return y
