# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 1), dtype="float32"), x1: R.Tensor((1, 1), dtype="float64")) -> R.Tensor((2, 1, 1), dtype="float64"):
        with R.dataflow():
            lv: R.Tensor((1, 1), dtype="float64") = R.matmul(x, x, out_dtype="float64")
            gv: R.Tensor((2, 1, 1), dtype="float64") = R.stack((lv, x1), axis=0)
            R.output(gv)
        return gv
