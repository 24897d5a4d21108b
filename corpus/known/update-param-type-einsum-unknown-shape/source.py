from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((), dtype="float32"), y: R.Tensor((1,), dtype="float32")) -> R.Tensor((), dtype="int64"):
        with R.dataflow():
            z = R.einsum((x, y), subscripts=",i->i")
            i = R.argmax(z, axis=0)
            R.output(i)
        return i
