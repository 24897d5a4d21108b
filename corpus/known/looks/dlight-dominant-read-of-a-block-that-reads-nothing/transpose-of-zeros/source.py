# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n", "n"), dtype="float32"):
        n = T.int64()
        with R.dataflow():
            lv: R.Tensor((n, n), dtype="float32") = R.zeros(R.shape([n, n]), dtype="float32")
            gv: R.Tensor((n, n), dtype="float32") = R.permute_dims(lv)
            R.output(gv)
        return gv
