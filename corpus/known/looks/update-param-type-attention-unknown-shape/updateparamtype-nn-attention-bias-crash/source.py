# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def helper(x1: R.Tensor((1, 1, 1, 1), dtype="float32"), x2: R.Tensor((1, 1, 1, 1), dtype="float32")) -> R.Tensor((1, 1, 1, 1), dtype="float32"):
        with R.dataflow():
            lv1: R.Tensor((1, 1, 1, 1), dtype="float32") = R.nn.attention_bias(R.const([[[[0.0]]]], "float32"), R.const([[[[0.0]]]], "float32"), x1, x2)
            R.output(lv1)
        return lv1

    @R.function
    def main(x5: R.Tensor((1, 1, 1, 1), dtype="float32")) -> R.Tensor((1, 1, 1, 1), dtype="float32"):
        return x5
