# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        gv: R.Tensor((n,), dtype="float32") = R.strided_slice(x, (0,), (0,), (n,), assume_inbound=False)
        gv1: R.Tensor((n,), dtype="float32") = R.strided_slice(gv, (0,), (0,), (n,), assume_inbound=False)
        gv2: R.Tensor((n,), dtype="float32") = R.tile(gv1, repeats=[1])
        return gv2
