# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), dtype="float32"), x1: R.Tensor(("4 * n * 3",), dtype="float32")) -> R.Tuple(R.Tuple(R.Tensor(("4 * n * 3",), dtype="float32")), R.Tuple(R.Tensor((1, 1, 2), dtype="int64"), R.Tensor((1, 1), dtype="float32"), R.Tensor((1,), dtype="int64"))):
        n = T.int64()
        gv: R.Tensor((4 * n * 3,), dtype="float32") = R.strided_slice(x1, (0,), (0,), (4 * n * 3,), assume_inbound=False)
        gv1: R.Tuple(R.Tensor((4 * n * 3,), dtype="float32")) = (gv,)
        gv2: R.Tuple(R.Tensor((1, 1, 2), dtype="int64"), R.Tensor((1, 1), dtype="float32"), R.Tensor((1,), dtype="int64")) = R.vision.all_class_non_max_suppression(R.const([[[0.0, 0.0, 0.0, 0.0]]], "float32"), R.const([[[0.0]]], "float32"), R.const(0, "int64"), R.const(0.0, "float32"), R.const(0.0, "float32"), output_format="tensorflow")
        return (gv1, gv2)
