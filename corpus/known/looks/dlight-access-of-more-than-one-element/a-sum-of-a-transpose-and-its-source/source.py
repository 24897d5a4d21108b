# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 2), dtype="float32")) -> R.Tensor((2, 2), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((2, 1), dtype="float32") = R.permute_dims(x)
            lv1: R.Tensor((2, 2), dtype="float32") = R.add(lv, x)
            gv: R.Tensor((2, 2), dtype="float32") = R.permute_dims(lv1)
            R.output(gv)
        return gv
