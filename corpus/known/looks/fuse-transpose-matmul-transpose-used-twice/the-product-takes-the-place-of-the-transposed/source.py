# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 1), dtype="float32"), x1: R.Tensor((1, 1, 1), dtype="float32")) -> R.Tensor((2, 1), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((1, 1), dtype="float32") = R.permute_dims(x)
            gv: R.Tensor((2, 1), dtype="float32") = R.concat((x, lv), axis=0)
            lv1: R.Tensor((1, 1, 1), dtype="float32") = R.matmul(x1, lv)
            R.output(gv)
        return gv
