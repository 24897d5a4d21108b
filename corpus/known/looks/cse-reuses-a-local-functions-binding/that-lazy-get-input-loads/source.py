# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((), dtype="float32")) -> R.Tuple(R.Tensor((), dtype="float32"), R.Tensor((), dtype="float32")):
        gv: R.Tensor((1, 1, 1, 1, 1), dtype="float32") = R.abs(R.const([[[[[0.0]]]]], "float32"))
        @R.function
        def inner() -> R.Tensor((), dtype="float32"):
            return x
        gv1: R.Tensor((), dtype="float32") = inner()
        gv2: R.Tuple(R.Tensor((), dtype="float32"), R.Tensor((), dtype="float32")) = (gv1, x)
        return gv2
