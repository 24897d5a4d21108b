# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def transform_params(w: R.Tensor((), dtype="float32")) -> R.Tuple(R.Tensor((), dtype="float32")):
        R.func_attr({"num_input": 0})
        return (w,)
