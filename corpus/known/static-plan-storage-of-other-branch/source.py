# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x1: R.Tensor((1, 1, 1), dtype="float32"), lv1: R.Tensor((0, 1, 1), dtype="float32"), lv3: R.Tensor((1,), dtype="float32"), lv5: R.Tensor((), dtype="bool")) -> R.Tensor((1, 1, 1), dtype="float32"):
        if lv5:
            with R.dataflow():
                lv6: R.Tensor((1, 1, 1), dtype="float32") = R.sum(lv1, axis=[-3], keepdims=True)
                lv9: R.Tensor((1, 1, 1), dtype="float32") = R.const([[[0.0]]], "float32")
                R.output(lv9)
            lv15: R.Tensor((1, 1, 1), dtype="float32") = lv9
        else:
            lv10: R.Tensor((1,), dtype="float32") = R.min(lv3, axis=[0], keepdims=True)
            lv15: R.Tensor((1, 1, 1), dtype="float32") = x1
        return lv15
