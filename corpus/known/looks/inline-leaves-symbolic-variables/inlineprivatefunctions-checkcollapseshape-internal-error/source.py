# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def f(x: R.Tuple(R.Tensor(("n",), dtype="float32"), R.Tensor(("n",), dtype="float32"))) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        gv: R.Tensor((n,), dtype="float32") = x[0]
        gv1: R.Tensor((n,), dtype="float32") = R.collapse_sum_to(gv, R.shape([n]))
        return gv1

    @R.function
    def main(x: R.Tensor((1,), dtype="float32")) -> R.Tensor((1,), dtype="float32"):
        cls = Module
        gv: R.Tensor((1,), dtype="float32") = cls.f((x, x))
        return gv
