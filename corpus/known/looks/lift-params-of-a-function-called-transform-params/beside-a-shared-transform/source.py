# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def transform_params(x: R.Tensor((1,), dtype="float32"), x1: R.Tensor((2,), dtype="float32")) -> R.Tuple(R.Tensor((1,), dtype="float32"), R.Tensor((2,), dtype="float32")):
        return (x, x1)

    @R.function
    def decode(x: R.Tensor((2,), dtype="float32"), w: R.Tensor((2,), dtype="float32"), w1: R.Tensor((), dtype="float32")) -> R.Tuple(R.Tensor((), dtype="float32"), R.Tensor((2,), dtype="float32")):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            lv: R.Tensor((), dtype="float32") = R.collapse_sum_like(w, w1)
            gv: R.Tuple(R.Tensor((), dtype="float32"), R.Tensor((2,), dtype="float32")) = (lv, x)
            R.output(gv)
        return gv
