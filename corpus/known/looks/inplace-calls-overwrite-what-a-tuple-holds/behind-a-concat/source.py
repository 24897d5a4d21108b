# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((), dtype="float32"), x1: R.Tensor((1,), dtype="float32")) -> R.Tuple(R.Tuple(R.Tensor((1,), dtype="float32")), R.Tensor((1,), dtype="float32")):
        with R.dataflow():
            lv: R.Tensor((1,), dtype="float32") = R.concat((x1,), axis=0)
            lv1: R.Tensor((1,), dtype="float32") = R.add(lv, x)
            gv: R.Tuple(R.Tensor((1,), dtype="float32")) = (lv1,)
            gv1: R.Tensor((1,), dtype="float32") = R.add(x, lv1)
            R.output(gv, gv1)
        return (gv, gv1)
