# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def f(x: R.Tensor((5, 7), dtype="float32")) -> R.Tensor((5, 7), dtype="float32"):
        return x

    @R.function
    def main(x: R.Tensor((3, 3), dtype="float32")) -> R.Tensor((5, 7), dtype="float32"):
        cls = Module
        gv: R.Tensor((5, 5), dtype="float32") = R.nn.pad(x, pad_width=[1, 1, 1, 1], pad_mode="constant", pad_value=0.0)
        gv1: R.Tensor((5, 7), dtype="float32") = R.nn.pad(gv, pad_width=[0, 0, 1, 1], pad_mode="constant", pad_value=0.0)
        gv2: R.Tensor((5, 7), dtype="float32") = cls.f(gv1)
        return gv2
