# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), dtype="float32"), x1: R.Tensor((1, "n + n"), dtype="float32"), x2: R.Tensor((1,), dtype="int32")) -> R.Tensor((1, "n + n"), dtype="float32"):
        n = T.int64()
        gv: R.Tensor((1, n + n), dtype="float32") = R.index_tensor(x1, (x2,))
        gv1: R.Tensor((1, n + n), dtype="float32") = R.cumsum(gv, axis=0, exclusive=False)
        return gv1
