# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def f(x: R.Tensor((2,), dtype="float32")) -> R.Tensor((1, 2), dtype="float32"):
        gv: R.Tensor((1, 2), dtype="float32") = R.expand_dims(x, axis=[0])
        gv1: R.Tensor((1, 2), dtype="float32") = R.squeeze(gv, axis=[1])
        return gv1

    @R.function
    def main(x: R.Tensor((2,), dtype="float32")) -> R.Tensor((1, 2), dtype="float32"):
        cls = Module
        gv: R.Tensor((1, 2), dtype="float32") = cls.f(x)
        return gv
