# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 1, 4), dtype="float32"), x1: R.Tensor((1, 1, 1), dtype="float32"), x2: R.Tensor((), dtype="int32"), x3: R.Tensor((), dtype="float32")) -> R.Tuple(R.Tensor((1, 3), dtype="int64"), R.Tensor((1,), dtype="int64")):
        gv: R.Tuple(R.Tensor((1, 3), dtype="int64"), R.Tensor((1,), dtype="int64")) = R.vision.all_class_non_max_suppression(x, x1, x2, x3, x3, output_format="onnx")
        return gv
