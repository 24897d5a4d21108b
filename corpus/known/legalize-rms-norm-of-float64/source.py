# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 3), dtype="float64"), x1: R.Tensor((3,), dtype="float64")) -> R.Tensor((1, 3), dtype="float64"):
        gv: R.Tensor((1, 3), dtype="float64") = R.nn.rms_norm(x, x1, axes=[-1], epsilon=1e-05)
        return gv
