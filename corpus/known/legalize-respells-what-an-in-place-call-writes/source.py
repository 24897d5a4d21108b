# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        with R.dataflow():
            lv: R.Tensor((n,), dtype="float32") = R.strided_slice(x, (0,), (0,), (n,), (1,), assume_inbound=False)
            gv: R.Tensor((n,), dtype="float32") = R.divide(lv, lv)
            R.output(gv)
        return gv
