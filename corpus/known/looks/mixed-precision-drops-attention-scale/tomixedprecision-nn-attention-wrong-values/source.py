# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x1: R.Tensor((1, 2, 2, 1), dtype="float32"), lv2: R.Tensor((1, 2, 2, 2), dtype="float32")) -> R.Tensor((1, 2, 2, 1), dtype="float32"):
        with R.dataflow():
            lv8: R.Tensor((1, 2, 2, 1), dtype="float32") = R.nn.attention(lv2, lv2, x1, causal_mask="TopLeft")
            R.output(lv8)
        return lv8
