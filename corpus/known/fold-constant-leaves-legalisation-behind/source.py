from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2,), dtype="float32")) -> R.Tensor(dtype="float32", ndim=1):
        with R.dataflow():
            y = R.dynamic_strided_slice(x, R.const([0], "int64"), R.const([1], "int64"), R.const([1], "int64"))
            R.output(y)
        return y
