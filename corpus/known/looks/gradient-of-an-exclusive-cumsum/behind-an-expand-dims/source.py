# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((), dtype="float32")) -> R.Tuple(R.Tensor((), dtype="float32"), R.Tensor((), dtype="float32")):
        with R.dataflow():
            lv: R.Tensor((1,), dtype="float32") = R.cumsum(x, exclusive=True)
            lv1: R.Tensor((1, 1), dtype="float32") = R.expand_dims(lv, axis=[0])
            gv: R.Tensor((), dtype="float32") = R.sum(lv1, keepdims=False)
            R.output(gv)
        return (x, gv)
