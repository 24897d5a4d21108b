# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1,), dtype="bfloat16")) -> R.Tuple(R.Tensor((1,), dtype="bfloat16"), R.Tensor((1,), dtype="bfloat16"), R.Tensor((1,), dtype="bfloat16")):
        gv: R.Tuple(R.Tensor((1,), dtype="bfloat16"), R.Tensor((1,), dtype="bfloat16"), R.Tensor((1,), dtype="bfloat16")) = R.nn.batch_norm(x, x, x, x, x, axis=0, epsilon=1e-05, center=True, scale=True, momentum=0.1, training=True)
        return gv
