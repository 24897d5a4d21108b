# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), dtype="float32"), x1: R.Tensor((), dtype="bool")) -> R.Tuple(R.Tensor(("n",), dtype="float32"), R.Tensor(dtype="float32", ndim=1)):
        n = T.int64()
        gv: R.Tensor((n,), dtype="float32") = R.add(x, x)
        if x1:
            gv2: R.Tensor(dtype="float32", ndim=1) = R.const([0.0], "float32")
        else:
            gv1: R.Tensor((n,), dtype="float32") = R.add(x, x)
            gv2: R.Tensor(dtype="float32", ndim=1) = gv1
        return (gv, gv2)
