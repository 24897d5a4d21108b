# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((), dtype="bool"), x1: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        if x:
            gv: R.Tensor((n,), dtype="float32") = x1
        else:
            gv: R.Tensor((n,), dtype="float32") = x1
        return gv
