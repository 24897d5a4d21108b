# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), dtype="float32"), w: R.Tensor(("n",), dtype="float32")) -> R.Tensor((1, 1), dtype="int64"):
        n = T.int64()
        R.func_attr({"num_input": 1})
        with R.dataflow():
            lv: R.Tensor((1,), dtype="int64") = R.shape_to_tensor(R.shape([n]))
            gv: R.Tensor((1, 1), dtype="int64") = R.outer(lv, lv)
            lv1: R.Tensor(dtype="int64", ndim=2) = R.match_cast(gv, R.Tensor(dtype="int64", ndim=2))
            R.output(gv)
        return gv
