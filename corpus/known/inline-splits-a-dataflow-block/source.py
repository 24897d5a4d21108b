from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1,), dtype="float32")) -> R.Tensor((1,), dtype="float32"):
        cls = Module
        with R.dataflow():
            y = R.negative(x)
            z = cls.helper(x)
            r = R.add(y, z)
            R.output(r)
        return r

    @R.function(private=True)
    def helper(p: R.Tensor((1,), dtype="float32")) -> R.Tensor((1,), dtype="float32"):
        q = R.exp(p)
        return q
