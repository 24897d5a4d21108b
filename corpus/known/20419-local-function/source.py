from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1,), dtype="float32")) -> R.Tensor((1,), dtype="float32"):
        with R.dataflow():
            @R.function
            def inner(p: R.Tensor((1,), dtype="float32")) -> R.Tensor((1,), dtype="float32"):
                q = R.add(p, p)
                return q
            y = inner(x)
            R.output(y)
        return y
