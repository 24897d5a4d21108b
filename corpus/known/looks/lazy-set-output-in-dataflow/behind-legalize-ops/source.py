# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), dtype="float32"), x1: R.Tensor(("n + 1",), dtype="float32")) -> R.Tensor(("n + 1",), dtype="float32"):
        n = T.int64()
        with R.dataflow():
            gv: R.Tensor((n + 1,), dtype="float32") = R.strided_slice(x1, (0,), (0,), (n + 1,), assume_inbound=False)
            R.output(gv)
        return gv
