# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def f(x: R.Tensor(("n", "m", "k", "m"), dtype="float32")) -> R.Tensor((1, "m", "m", 1), dtype="float32"):
        n = T.int64()
        m = T.int64()
        k = T.int64()
        gv: R.Tensor((1, m, m, 1), dtype="float32") = R.ones(R.shape([1, m, m, 1]), dtype="float32")
        return gv

    @R.function
    def main(x: R.Tensor((1, 1, 1, 1), dtype="float32")) -> R.Tensor((1, 1, 1, 1), dtype="float32"):
        cls = Module
        gv: R.Tensor((1, 1, 1, 1), dtype="float32") = cls.f(x)
        gv1: R.Tensor((1, 1, 1, 1), dtype="float32") = R.nn.attention_bias(gv, x, x, x)
        return gv1
