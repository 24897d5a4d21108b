# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1,), dtype="int64"), x1: R.Tensor((1,), dtype="float32")) -> R.Tuple(R.Tensor((1,), dtype="float32"), R.Tensor((1,), dtype="float32"), R.Tensor((1,), dtype="float32")):
        gv: R.Tensor((1,), dtype="float32") = R.gather_nd(R.const([[0.0]], "float32"), x, batch_dims=0)
        gv1: R.Tuple(R.Tensor((1,), dtype="float32"), R.Tensor((1,), dtype="float32"), R.Tensor((1,), dtype="float32")) = R.nn.batch_norm(x1, x1, gv, x1, x1, axis=0, epsilon=1e-05, center=True, scale=True, momentum=0.1, training=True)
        return gv1
