# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 1, 1, "n"), dtype="float32"), x1: R.Tensor((2, 2, 1, 0), dtype="float32"), x2: R.Tensor((1, 1, 1, 2), dtype="float32")) -> R.Tensor((2, 1, 1, 1), dtype="float32"):
        n = T.int64()
        gv: R.Tensor((2, 1, 1, 1), dtype="float32") = R.nn.attention_bias(x, x1, R.const([[[[0.0]], [[0.0]]], [[[0.0]], [[0.0]]]], "float32"), x2)
        return gv
