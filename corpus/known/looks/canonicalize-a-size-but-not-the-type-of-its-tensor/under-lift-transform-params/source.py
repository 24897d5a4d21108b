# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 1), dtype="float32")) -> R.Tensor(dtype="float32", ndim=1):
        n = T.int64()
        R.func_attr({"num_input": 1})
        gv: R.Tensor((2, n), dtype="float32") = R.match_cast(x, R.Tensor((2, n), dtype="float32"))
        gv1: R.Tensor((2 * n,), dtype="float32") = R.reshape(gv, R.shape([2 * n]))
        gv2: R.Tensor((2 * n,), dtype="float32") = R.log_add_exp(gv1, gv1)
        return gv2
