# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 1), dtype="int32"), x1: R.Tensor((1, 0), dtype="float32")) -> R.Tensor((1, 1, 0), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((1, 1, 0), dtype="float32") = R.take(x1, x, axis=0, mode="clip")
            gv: R.Tensor((1, 1, 0), dtype="float32") = R.ceil(lv)
            R.output(gv)
        return gv
