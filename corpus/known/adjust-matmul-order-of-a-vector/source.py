from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(a: R.Tensor((2, 2), dtype="float32"), b: R.Tensor((2,), dtype="float32"), c: R.Tensor((2, 2), dtype="float32")) -> R.Tensor((2,), dtype="float32"):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            y = R.matmul(a, b)
            z = R.matmul(y, c)
            R.output(z)
        return z
