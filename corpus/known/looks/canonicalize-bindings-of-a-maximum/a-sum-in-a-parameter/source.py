# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n + 2 - 2",), dtype="bool"), x1: R.Tensor((), dtype="bool"), x2: R.Tensor(("n",), dtype="float32")) -> R.Tuple(R.Tensor(("n",), dtype="bool"), R.Tensor((), dtype="bool")):
        n = T.int64()
        if x1:
            gv: R.Tensor((n,), dtype="bool") = R.isinf(x2)
            gv1: R.Tuple(R.Tensor((n,), dtype="bool"), R.Tensor((), dtype="bool")) = (gv, x1)
        else:
            gv1: R.Tuple(R.Tensor((n,), dtype="bool"), R.Tensor((), dtype="bool")) = (x, x1)
        return gv1
