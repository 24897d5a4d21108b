from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1,), dtype="int64")) -> R.Tensor((1,), dtype="int64"):
        with R.dataflow():
            gv: R.Tensor((1,), dtype="int64") = R.multiply(x, R.prim_value(2))
            R.output(gv)
        return gv
