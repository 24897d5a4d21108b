# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 3), dtype="float32"), x1: R.Tensor((1, 1), dtype="int32")) -> R.Tensor((1, 1), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((1, 3), dtype="float32") = R.squeeze(x, axis=[1])
            gv: R.Tensor((1, 1), dtype="float32") = R.gather_elements(lv, x1, axis=0)
            R.output(gv)
        return gv
