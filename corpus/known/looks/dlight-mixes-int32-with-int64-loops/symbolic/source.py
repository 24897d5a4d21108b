# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 1), dtype="int32"), x1: R.Tensor((1, 1), dtype="float32"), x2: R.Tensor((1, "n", 1), dtype="float32")) -> R.Tensor((1, "n", 1), dtype="float32"):
        n = T.int64()
        gv: R.Tensor((1, n, 1), dtype="float32") = R.grad.nll_loss_backward(x1, x2, x, reduction="mean", ignore_index=0)
        return gv
