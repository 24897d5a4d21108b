# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Shape(["n", 1, 1])) -> R.Tensor((), dtype="float32"):
        n = T.int64()
        if R.prim_value(n == 3):
            gv: R.Tensor((), dtype="float32") = R.const(0.0, "float32")
        else:
            gv: R.Tensor((), dtype="float32") = R.const(0.0, "float32")
        return gv
