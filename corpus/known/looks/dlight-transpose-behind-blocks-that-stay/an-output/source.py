# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 2), dtype="float32")) -> R.Tensor((2, 2), dtype="float32"):
        n = T.int64()
        with R.dataflow():
            lv: R.Tensor((2, 2), dtype="float32") = R.concat((x,), axis=0)
            gv: R.Tensor((2, 2), dtype="float32") = R.permute_dims(lv)
            lv1: R.Tensor((n, 2), dtype="float32") = R.match_cast(lv, R.Tensor((n, 2), dtype="float32"))
            R.output(gv)
        return gv
