# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def decode(x: R.Tensor((), dtype="float32"), w: R.Tensor((), dtype="float32")) -> R.Tuple(R.Tensor((), dtype="float32")):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            lv: R.Tensor((), dtype="float32") = R.permute_dims(w)
            lv1: R.Tensor((), dtype="float32") = R.collapse_sum_like(lv, x)
            gv: R.Tuple(R.Tensor((), dtype="float32")) = (lv1,)
            R.output(gv)
        return gv

    @R.function
    def transform_params(x: R.Tuple(R.Tensor((), dtype="float32"))) -> R.Tuple(R.Tuple(R.Tensor((), dtype="float32"))):
        return (x,)
