# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), dtype="float32"), x1: R.Tensor((), dtype="float32"), w: R.Tensor(("n",), dtype="float32"), w1: R.Tensor((), dtype="bool")) -> R.Tuple(R.Tensor((), dtype="float32"), R.Tensor((), dtype="int64")):
        n = T.int64()
        R.func_attr({"num_input": 2})
        with R.dataflow():
            lv: R.Tensor((n,), dtype="float32") = R.zeros(R.shape([n]), dtype="float32")
            lv1: R.Tensor((), dtype="int64") = R.argmin(lv, keepdims=False)
            lv2: R.Tensor((), dtype="int64") = R.where(w1, lv1, R.const(0, "int64"))
            gv: R.Tuple(R.Tensor((), dtype="float32"), R.Tensor((), dtype="int64")) = (x1, lv2)
            R.output(gv)
        return gv
