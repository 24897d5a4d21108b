# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 1), dtype="float32"), x1: R.Tensor((), dtype="float32")) -> R.Tuple(R.Tensor((1, 1), dtype="float32"), R.Tensor((), dtype="float32"), R.Tensor((1, 1), dtype="float32")):
        with R.dataflow():
            gv: R.Tensor((1, 1), dtype="float32") = R.triu(x, 0)
            R.output(gv)
        gv1: R.Tensor((), dtype="float32") = x1
        with R.dataflow():
            lv: R.Tensor((1, 1), dtype="float32") = R.triu(x, 0)
            gv2: R.Tensor((1, 1), dtype="float32") = R.multiply(x1, lv)
            R.output(gv2)
        return (gv, gv1, gv2)
