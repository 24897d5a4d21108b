# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), dtype="float32"), x1: R.Tensor((0,), dtype="float32")) -> R.Tensor((), dtype="float32"):
        n = T.int64()
        with R.dataflow():
            lv: R.Tensor((n - 2,), dtype="float32") = R.reshape(x1, R.shape([n - 2]))
            gv: R.Tensor((), dtype="float32") = R.sum(lv, keepdims=False)
            R.output(gv)
        return gv
