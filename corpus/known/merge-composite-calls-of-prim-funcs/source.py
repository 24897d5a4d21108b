# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1,), dtype="float32")) -> R.Prim("int64"):
        gv: R.Prim("int64") = R.inspect.tensor_shape_i(x, R.prim_value(0))
        return gv
