# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1,), dtype="float32"), x1: R.Tensor((), dtype="float32")) -> R.Tuple(R.Tensor((), dtype="float32"), R.Tensor((), dtype="float32")):
        with R.dataflow():
            gv: R.Tensor((), dtype="float32") = R.matmul(x, x)
            R.output(gv)
        gv1: R.Tensor((), dtype="float32") = x1
        with R.dataflow():
            gv2: R.Tensor((), dtype="float32") = gv
            R.output(gv2)
        return (gv1, gv2)
