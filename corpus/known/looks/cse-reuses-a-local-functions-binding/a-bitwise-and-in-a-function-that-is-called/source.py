# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((), dtype="int32")) -> R.Tuple(R.Tensor((), dtype="int32"), R.Tensor((), dtype="int32")):
        @R.function
        def inner() -> R.Tensor((), dtype="int32"):
            gv: R.Tensor((), dtype="int32") = R.bitwise_and(x, x)
            return gv
        gv1: R.Tensor((), dtype="int32") = inner()
        gv2: R.Tensor((), dtype="int32") = R.bitwise_and(x, x)
        return (gv1, gv2)
