from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(boxes: R.Tensor((1, 2, 4), dtype="float32"), scores: R.Tensor((1, 1, 2), dtype="float32"), most: R.Tensor((), dtype="int64"), iou: R.Tensor((), dtype="float32"), score: R.Tensor((), dtype="float32")) -> R.Tensor((1,), dtype="int64"):
        y = R.vision.all_class_non_max_suppression(boxes, scores, most, iou, score, output_format="tensorflow")
        z = y[2]
        return z
