# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 1), dtype="float32")) -> R.Tensor((1,), dtype="float32"):
        n = T.int64()
        gv: R.Tensor((n, 1), dtype="float32") = R.repeat(x, repeats=1, axis=0)
        gv1: R.Tensor((n,), dtype="float32") = R.cumprod(gv, exclusive=False)
        gv2: R.Tensor((1,), dtype="float32") = R.topk(gv1, k=1, axis=-1, ret_type="values", largest=True, dtype="float32")
        gv3: R.Tensor((1,), dtype="float32") = R.concat((gv2,), axis=0)
        return gv3
