# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 2, 2, 1), dtype="float32"), c0: R.Tensor((2, 2, 2, 2), dtype="float32"), c2: R.Tensor((2, 2, 1, 2), dtype="float32")) -> R.Tensor((2, 2, 2, 1), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((2, 2, 2, 1), dtype="float32") = R.nn.attention_bias(c0, c0, x, c2, scale=1.0)
            R.output(lv)
        return lv
