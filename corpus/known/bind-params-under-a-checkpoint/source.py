from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main(w: R.Tensor((2,), dtype="float32")) -> R.Tensor((2,), dtype="float32"):
        gv: R.Tensor((2,), dtype="float32") = R.grad.start_checkpoint(w)
        return gv
