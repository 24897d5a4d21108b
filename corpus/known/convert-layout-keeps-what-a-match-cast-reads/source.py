# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 2, 1), dtype="float32"), x1: R.Tensor((), dtype="float32")) -> R.Tensor((), dtype="float32"):
        n = T.int64()
        with R.dataflow():
            lv: R.Tensor((n, 2, 0), dtype="float32") = R.strided_slice(x, (2, 0), (1, 0), (1, n), (2, 1), assume_inbound=False)
            lv1: R.Tensor((n, 2, 0), dtype="float32") = R.match_cast(lv, R.Tensor((n, 2, 0), dtype="float32"))
            R.output()
        return x1
