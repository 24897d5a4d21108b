# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1,), dtype="float32"), x1: R.Tensor((1,), dtype="int64")) -> R.Tensor((1,), dtype="float32"):
        gv: R.Tensor((), dtype="float32") = R.gather_nd(x, x1, batch_dims=0)
        gv1: R.Tensor((1,), dtype="float32") = R.stack((gv,), axis=0)
        return gv1
