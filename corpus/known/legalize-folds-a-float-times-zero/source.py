# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1,), dtype="float32")) -> R.Tuple(R.Tensor((1,), dtype="float32"), R.Tensor((1,), dtype="float32"), R.Tensor((1,), dtype="float32")):
        gv: R.Tuple(R.Tensor((1,), dtype="float32"), R.Tensor((1,), dtype="float32"), R.Tensor((1,), dtype="float32")) = R.nn.batch_norm(x, x, x, R.const([float("nan")], "float32"), x, axis=0, epsilon=1e-05, center=True, scale=True, momentum=1.0, training=True)
        return gv
