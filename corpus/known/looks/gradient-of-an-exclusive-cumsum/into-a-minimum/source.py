# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 2), dtype="float32"), x1: R.Tensor((), dtype="float32")) -> R.Tuple(R.Tensor((), dtype="float32"), R.Tensor((), dtype="float32")):
        with R.dataflow():
            lv: R.Tensor((4,), dtype="float32") = R.cumsum(x, exclusive=True)
            lv1: R.Tensor((), dtype="float32") = R.sum(lv, keepdims=False)
            lv2: R.Tensor((2, 2), dtype="float32") = R.minimum(lv1, x)
            gv: R.Tensor((), dtype="float32") = R.sum(lv2, keepdims=False)
            R.output(gv)
        return (x1, gv)
