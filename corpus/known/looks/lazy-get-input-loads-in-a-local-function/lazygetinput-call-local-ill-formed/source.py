# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 1, 1), dtype="float32"), x1: R.Tensor((1, 1, 1, 1), dtype="float32"), lv8: R.Tensor((1, 1), dtype="float32")) -> R.Tuple(R.Tensor((1, 1, 1, 1), dtype="float32"), R.Tensor((1, 1, 1, 1), dtype="float32"), R.Tensor((1, 1), dtype="float32")):
        @R.function
        def lv4(p0: R.Tensor((1, 1, 1), dtype="float32")) -> R.Tensor((1, 1, 1, 1), dtype="float32"):
            return x1
        lv5: R.Tensor((1, 1, 1, 1), dtype="float32") = lv4(x)
        lv9: R.Tuple(R.Tensor((1, 1, 1, 1), dtype="float32"), R.Tensor((1, 1, 1, 1), dtype="float32"), R.Tensor((1, 1), dtype="float32")) = (x1, lv5, lv8)
        return lv9
