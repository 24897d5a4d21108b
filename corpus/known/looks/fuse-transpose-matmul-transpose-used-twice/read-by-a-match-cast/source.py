# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 2), dtype="float32"), x1: R.Tensor((), dtype="float32"), x2: R.Tensor((2, 2), dtype="float32")) -> R.Tensor((), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((2, 2), dtype="float32") = R.permute_dims(x2)
            lv1: R.Tensor((1, 2), dtype="float32") = R.matmul(x, lv)
            lv2: R.Tensor((2, 2), dtype="float32") = R.match_cast(lv, R.Tensor((2, 2), dtype="float32"))
            R.output()
        return x1
