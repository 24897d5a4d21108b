# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2,), dtype="float32"), x1: R.Tensor((), dtype="float32")) -> R.Tuple(R.Tensor((), dtype="float32"), R.Tensor((), dtype="float32")):
        with R.dataflow():
            lv: R.Tensor((2,), dtype="float32") = R.cumsum(x, exclusive=True)
            lv1: R.Tuple(R.Tensor((1,), dtype="float32"), R.Tensor((1,), dtype="float32")) = R.split(lv, indices_or_sections=2, axis=0)
            lv2: R.Tensor((1,), dtype="float32") = lv1[1]
            gv: R.Tensor((), dtype="float32") = R.mean(lv2, keepdims=False)
            R.output(gv)
        return (x1, gv)
