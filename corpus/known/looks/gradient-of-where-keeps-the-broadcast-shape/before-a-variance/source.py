# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((), dtype="float32"), x1: R.Tensor((), dtype="bool")) -> R.Tensor((), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((1, 1), dtype="float32") = R.where(x1, x, R.const([[0.0]], "float32"))
            gv: R.Tensor((), dtype="float32") = R.variance(lv, keepdims=False)
            R.output(gv)
        return gv
