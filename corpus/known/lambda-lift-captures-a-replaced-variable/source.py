# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((), dtype="float32")) -> R.Tensor((), dtype="float32"):
        @R.function
        def inner(x1: R.Tensor((), dtype="float32")) -> R.Tensor((), dtype="float32"):
            return x1
        gv: R.Tensor((), dtype="float32") = inner(x)
        @R.function
        def inner1() -> R.Tensor((), dtype="float32"):
            return gv
        gv1: R.Tensor((), dtype="float32") = inner1()
        return gv1
