# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def f(x: R.Tensor(("n",), dtype="float32"), x1: R.Tensor((1,), dtype="float32")) -> R.Tensor((1,), dtype="float32"):
        return x1

    @R.function
    def main(x: R.Tensor((1,), dtype="float32")) -> R.Tuple(R.Tuple(R.Tensor((1,), dtype="float32")), R.Tensor((), dtype="float32")):
        cls = Module
        with R.dataflow():
            gv: R.Tensor((1,), dtype="float32") = x
            R.output(gv)
        gv1: R.Tensor((1,), dtype="float32") = cls.f(gv, x)
        gv2: R.Tuple(R.Tensor((1,), dtype="float32")) = (gv1,)
        with R.dataflow():
            gv3: R.Tensor((), dtype="float32") = R.matmul(x, gv)
            R.output(gv3)
        return (gv2, gv3)
