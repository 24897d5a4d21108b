# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((), dtype="bool")) -> R.Tensor((1, 1), dtype="float32"):
        if x:
            with R.dataflow():
                gv: R.Tensor((1, 1), dtype="float32") = R.permute_dims(R.const([[0.0]], "float32"))
                lv: R.Tensor((1,), dtype="float32") = R.matmul(R.const([0.0], "float32"), gv)
                R.output(gv)
            gv1: R.Tensor((1, 1), dtype="float32") = gv
        else:
            gv1: R.Tensor((1, 1), dtype="float32") = R.const([[0.0]], "float32")
        return gv1
