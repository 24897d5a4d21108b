# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((), dtype="float32"), w: R.Tensor((), dtype="float32"), w1: R.Tensor((1, 1, 1, 1), dtype="float32")) -> R.Tuple(R.Tensor(dtype="float32", ndim=4), R.Tensor((), dtype="float32")):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            lv: R.Tensor(dtype="float32", ndim=4) = R.match_cast(w1, R.Tensor(dtype="float32", ndim=4))
            gv: R.Tuple(R.Tensor(dtype="float32", ndim=4), R.Tensor((), dtype="float32")) = (lv, x)
            R.output(gv)
        return gv
