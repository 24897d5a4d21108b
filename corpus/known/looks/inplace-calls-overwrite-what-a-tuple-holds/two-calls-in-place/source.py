# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 1), dtype="float32")) -> R.Tuple(R.Tuple(R.Tensor((), dtype="float32")), R.Tensor((), dtype="float32")):
        with R.dataflow():
            lv: R.Tensor((), dtype="float32") = R.einsum((x,), subscripts="ii")
            lv1: R.Tensor((), dtype="float32") = R.multiply(lv, lv)
            gv: R.Tuple(R.Tensor((), dtype="float32")) = (lv1,)
            gv1: R.Tensor((), dtype="float32") = R.add(lv1, lv1)
            R.output(gv, gv1)
        return (gv, gv1)
