from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 1), dtype="float32"), w: R.Tensor((1,), dtype="float32")) -> R.Tuple(R.Tensor((1, 1), dtype="float32"), R.Tensor((1,), dtype="float32"), R.Tensor((1,), dtype="float32")):
        y = R.nn.batch_norm(x, w, w, w, w, axis=-1, training=True)
        return y
