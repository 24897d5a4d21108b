# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 2), dtype="float32"), x1: R.Tensor((2, 2), dtype="float32")) -> R.Tensor((2, 2), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((2, 2), dtype="float32") = R.matmul(x, x1)
            gv: R.Tensor((2, 2), dtype="float32") = R.broadcast_to(lv, R.shape([2, 2]))
            lv1: R.Tensor((2, 2), dtype="float32") = R.match_cast(lv, R.Tensor((2, 2), dtype="float32"))
            R.output(gv)
        return gv
