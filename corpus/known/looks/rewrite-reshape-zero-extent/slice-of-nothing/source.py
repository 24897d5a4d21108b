# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(lv9: R.Tensor((1, 0), dtype="float32")) -> R.Tensor((0, 0), dtype="float32"):
        with R.dataflow():
            lv11: R.Tensor((0, 0), dtype="float32") = R.strided_slice(lv9, (0,), (1,), (2,), (1,), assume_inbound=False)
            lv13: R.Tensor((0, 0), dtype="float32") = R.strided_slice(lv11, (-1,), (0,), (2,), (1,), assume_inbound=False)
            R.output(lv13)
        return lv13
