# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1,), dtype="int32"), x1: R.Tensor((1, 1), dtype="float32"), x2: R.Tensor((), dtype="bool")) -> R.Tensor((), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((), dtype="float32") = R.nn.nll_loss(x1, x, reduction="mean", ignore_index=0)
            lv1: R.Tensor((1, 1), dtype="float32") = R.where(x2, x1, lv)
            gv: R.Tensor((), dtype="float32") = R.sum(lv1, keepdims=False)
            R.output(gv)
        return gv
