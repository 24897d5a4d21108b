# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 2, 2, 1), dtype="float16"), x1: R.Tensor((2, 2, 1, 2), dtype="float16")) -> R.Tensor((2, 2, 2, 2), dtype="float16"):
        with R.dataflow():
            gv: R.Tensor((2, 2, 2, 2), dtype="float16") = R.nn.attention_bias(x, x, x1, x1)
            R.output(gv)
        return gv
