# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1,), dtype="float32"), x1: R.Tensor((), dtype="float32")) -> R.Tensor((), dtype="int64"):
        n = T.int64()
        m = T.int64()
        gv: R.Tensor((n,), dtype="float32") = R.match_cast(x, R.Tensor((n,), dtype="float32"))
        gv1: R.Tensor((n,), dtype="float32") = R.reshape(x1, R.shape([n]))
        gv2: R.Tensor((m,), dtype="float32") = R.match_cast(gv1, R.Tensor((m,), dtype="float32"))
        gv3: R.Tensor((m + m,), dtype="float32") = R.concat((gv2, gv2), axis=0)
        gv4: R.Tensor((), dtype="int64") = R.argmin(gv3, keepdims=False)
        return gv4
