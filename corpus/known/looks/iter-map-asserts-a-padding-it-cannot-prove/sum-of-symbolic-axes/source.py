# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), dtype="bool"), x1: R.Tensor(("n + 2", 2, 2, "n - 1"), dtype="float32")) -> R.Tensor((1,), dtype="float32"):
        n = T.int64()
        gv: R.Tensor((1,), dtype="float32") = R.collapse_sum_to(x1, R.shape([1]))
        return gv
