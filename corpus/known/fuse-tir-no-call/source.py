# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(lv2: R.Tuple(R.Tuple(R.Tensor((1, 1, 1), dtype="float32")), R.Tensor((1, 1, 1), dtype="float32"), R.Tensor((1, 1), dtype="int64"))) -> R.Tensor((1, 1, 1), dtype="float32"):
        with R.dataflow():
            lv4: R.Tuple(R.Tensor((1, 1, 1), dtype="float32")) = lv2[0]
            lv7: R.Tensor((1, 1, 1), dtype="float32") = lv4[0]
            R.output(lv7)
        return lv7
