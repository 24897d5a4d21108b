# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main() -> R.Tuple(R.Tuple(R.Tensor((1,), dtype="float32")), R.Tensor((1,), dtype="float32")):
        with R.dataflow():
            lv: R.Tensor((1,), dtype="float32") = R.flip(R.const([1.0], "float32"), axis=0)
            lv1: R.Tensor((1,), dtype="float32") = R.add(R.const([0.0], "float32"), lv)
            gv: R.Tuple(R.Tensor((1,), dtype="float32")) = (lv1,)
            gv1: R.Tensor((1,), dtype="float32") = R.add(lv1, lv1)
            R.output(gv, gv1)
        return (gv, gv1)
