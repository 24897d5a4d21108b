from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1,), dtype="float32"), w: R.Tensor((), dtype="float32"), v: R.Tensor((1,), dtype="float32")) -> R.Tensor((1,), dtype="float32"):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            y = R.add(x, v)
            R.output(y)
        return y
