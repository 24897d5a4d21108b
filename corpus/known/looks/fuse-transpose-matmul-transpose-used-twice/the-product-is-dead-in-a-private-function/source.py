# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def f(x: R.Tensor((1, 1, 1), dtype="float32"), x1: R.Tensor((1,), dtype="float32")) -> R.Tensor((1, 1, 1), dtype="float32"):
        with R.dataflow():
            gv: R.Tensor((1, 1, 1), dtype="float32") = R.permute_dims(x, axes=[0, 2, 1])
            lv: R.Tensor((1, 1), dtype="float32") = R.matmul(x1, gv)
            R.output(gv)
        return gv

    @R.function
    def main(x: R.Tensor((1, 1, 1), dtype="float32"), x1: R.Tensor((1,), dtype="float32")) -> R.Tensor((1, 1, 1), dtype="float32"):
        cls = Module
        with R.dataflow():
            gv: R.Tensor((1, 1, 1), dtype="float32") = cls.f(x, x1)
            R.output(gv)
        return gv
