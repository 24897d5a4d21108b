# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main() -> R.Tensor((2, 2, 2), dtype="float32"):
        gv: R.Tensor((2, 2, 2), dtype="float32") = R.grad.nll_loss_backward(R.const(0.0, "float32"), R.const([[[0.0, 0.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 0.0]]], "float32"), R.const([[0, 0], [0, 0]], "int16"), reduction="mean", ignore_index=0)
        return gv
