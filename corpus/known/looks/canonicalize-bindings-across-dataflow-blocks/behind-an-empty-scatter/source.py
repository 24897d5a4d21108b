# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1,), dtype="float32"), x1: R.Tensor((0,), dtype="float32")) -> R.Tuple(R.Tensor((), dtype="float32"), R.Tensor((1,), dtype="float32")):
        with R.dataflow():
            lv: R.Tensor((1,), dtype="float32") = R.slice_scatter(x, x1, 1, 1, 1, axis=0)
            gv: R.Tuple(R.Tensor((1,), dtype="float32")) = (lv,)
            R.output(gv)
        gv1: R.Tensor((), dtype="float32") = R.const(0.0, "float32")
        with R.dataflow():
            lv1: R.Tensor((1,), dtype="float32") = gv[0]
            gv2: R.Tuple(R.Tensor((), dtype="float32"), R.Tensor((1,), dtype="float32")) = (gv1, lv1)
            R.output(gv2)
        return gv2
