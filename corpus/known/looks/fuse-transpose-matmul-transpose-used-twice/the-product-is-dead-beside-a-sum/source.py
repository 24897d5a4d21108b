# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 1), dtype="float32")) -> R.Tensor((), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((1, 1), dtype="float32") = R.permute_dims(x)
            lv1: R.Tensor((1, 1), dtype="float32") = R.matmul(R.const([[0.0]], "float32"), lv)
            gv: R.Tensor((), dtype="float32") = R.sum(lv, keepdims=False)
            R.output(gv)
        return gv
