# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((), dtype="float32")) -> R.Prim("uint64"):
        @R.function
        def inner(x1: R.Tensor((), dtype="float32")) -> R.Prim("uint64"):
            gv: R.Prim("uint64") = R.inspect.tensor_byte_offset(x1)
            return gv
        gv1: R.Prim("uint64") = inner(x)
        return gv1
