from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(boxes: R.Tensor((1, 2, 4), dtype="float32"), scores: R.Tensor((1, 1, 2), dtype="float32")) -> R.Tensor((2, 3), dtype="int64"):
        y = R.vision.all_class_non_max_suppression(boxes, scores, R.const(1, "int64"), R.const(0.5, "float32"), R.const(0.0, "float32"), output_format="onnx")
        z = y[0]
        return z
