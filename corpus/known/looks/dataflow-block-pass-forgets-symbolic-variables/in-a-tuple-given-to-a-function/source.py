# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def f(x: R.Tuple(R.Tensor(("n",), dtype="float32"), R.Tuple(R.Tensor(("n",), dtype="float32"), R.Tensor(("n",), dtype="float32"))), x1: R.Tensor((1,), dtype="float32")) -> R.Tensor((1,), dtype="float32"):
        n = T.int64()
        return x1

    @R.function
    def main(x: R.Tensor((1,), dtype="float32")) -> R.Tensor((1,), dtype="float32"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            gv: R.Tensor((n,), dtype="float32") = R.match_cast(x, R.Tensor((n,), dtype="float32"))
            R.output(gv)
        if R.prim_value(n * 4 % 6 != 0):
            gv1: R.Tensor((n,), dtype="float32") = R.subtract(gv, gv)
            gv2: R.Tensor((n,), dtype="float32") = gv1
        else:
            gv2: R.Tensor((n,), dtype="float32") = gv
        with R.dataflow():
            gv3: R.Tensor((1,), dtype="float32") = cls.f((gv2, (x, x)), x)
            R.output(gv3)
        return gv3
