# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def f(x: R.Tensor(("n", 1), dtype="float32")) -> R.Tensor((), dtype="float32"):
        n = T.int64()
        return R.const(0.0, "float32")

    @R.function
    def main(x: R.Tensor(("n",), dtype="float32"), x1: R.Tensor((), dtype="float32")) -> R.Tensor((), dtype="float32"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            lv: R.Tensor((n, 1), dtype="float32") = R.eye(n, 1, -1, dtype="float32")
            lv1: R.Tensor((), dtype="float32") = cls.f(lv)
            gv: R.Tensor((), dtype="float32") = R.collapse_sum_like(lv1, x1)
            R.output(gv)
        return gv
