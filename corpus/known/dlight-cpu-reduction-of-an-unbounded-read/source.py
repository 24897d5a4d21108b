# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((), dtype="float32"), x1: R.Tensor((2,), dtype="int32"), x2: R.Tensor((2,), dtype="float32"), x3: R.Tensor((2, 2), dtype="float32")) -> R.Tensor((2, 2), dtype="float32"):
        gv: R.Tensor((2, 2), dtype="float32") = R.grad.nll_loss_backward(x, x3, x1, x2, reduction="mean", ignore_index=0)
        return gv
