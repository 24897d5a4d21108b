# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main() -> R.Tuple(R.Tensor((1, 1, 2), dtype="int64"), R.Tensor((1, 1), dtype="float32"), R.Tensor((1,), dtype="int64")):
        gv: R.Tuple(R.Tensor((1, 1, 2), dtype="int64"), R.Tensor((1, 1), dtype="float32"), R.Tensor((1,), dtype="int64")) = R.vision.all_class_non_max_suppression(R.const([[[0.0, 0.0, 0.0, 0.0]]], "float32"), R.const([[[0.0]]], "float32"), R.const(0, "int64"), R.const(0.0, "float32"), R.const(0.0, "float32"), output_format="tensorflow")
        return gv
