# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2,), dtype="float32")) -> R.Tuple(R.Tensor((1,), dtype="float32"), R.Tensor((1,), dtype="float32"), R.Tensor((0,), dtype="float32")):
        with R.dataflow():
            lv: R.Tensor((2,), dtype="float32") = R.std(x, axis=[], keepdims=False)
            gv: R.Tuple(R.Tensor((1,), dtype="float32"), R.Tensor((1,), dtype="float32"), R.Tensor((0,), dtype="float32")) = R.split(lv, indices_or_sections=3, axis=0)
            R.output(gv)
        return gv
