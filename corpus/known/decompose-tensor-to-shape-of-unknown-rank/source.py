# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1,), dtype="int32")) -> R.Shape(ndim=1):
        gv: R.Shape(ndim=1) = R.tensor_to_shape(x)
        return gv
