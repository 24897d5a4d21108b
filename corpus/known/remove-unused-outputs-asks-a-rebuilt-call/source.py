# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor(("n",), dtype="float32"), x1: R.Tensor((), dtype="bool")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        cls = Module
        if x1:
            gv: R.Tensor((n,), dtype="float32") = R.add(x, x)
            gv2: R.Tensor((n,), dtype="float32") = gv
        else:
            gv1: R.Tensor((n,), dtype="float32") = R.add(x, x)
            gv2: R.Tensor((n,), dtype="float32") = gv1
        gv3: R.Tuple(R.Tensor((n,), dtype="float32"), R.Tensor((n,), dtype="float32")) = cls.f((gv2, gv2))
        gv4: R.Tensor((n,), dtype="float32") = gv3[0]
        return gv4

    @R.function(private=True)
    def f(x: R.Tuple(R.Tensor(("n",), dtype="float32"), R.Tensor(("n",), dtype="float32"))) -> R.Tuple(R.Tensor(("n",), dtype="float32"), R.Tensor(("n",), dtype="float32")):
        n = T.int64()
        return x
