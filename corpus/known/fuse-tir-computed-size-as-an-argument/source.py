# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 1), dtype="float32")) -> R.Tensor((), dtype="float32"):
        n = T.int64()
        with R.dataflow():
            lv: R.Tensor((2, n), dtype="float32") = R.match_cast(x, R.Tensor((2, n), dtype="float32"))
            lv1: R.Tensor((2 * n,), dtype="float32") = R.reshape(lv, R.shape([2 * n]))
            lv2: R.Tensor((), dtype="float32") = R.std(lv1, keepdims=False)
            gv: R.Tensor((), dtype="float32") = R.negative(lv2)
            R.output(gv)
        return gv
