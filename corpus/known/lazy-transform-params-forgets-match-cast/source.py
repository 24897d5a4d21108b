from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1,), dtype="float32"), w: R.Tensor((1,), dtype="float32")) -> R.Tuple(R.Tensor((1,), dtype="float32"), R.Tensor(dtype="float32", ndim=1)):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            u = R.negative(w)
            v = R.match_cast(u, R.Tensor(dtype="float32", ndim=1))
            y = (x, v)
            R.output(y)
        return y
