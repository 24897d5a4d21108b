# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 1, 1, 1), dtype="float32")) -> R.Tuple(R.Tensor((1, 1, 1, 1), dtype="float32"), R.Tensor((1, 1, 1, 1), dtype="float32")):
        with R.dataflow():
            gv: R.Tensor((1, 1, 1, 1), dtype="float32") = x
            gv1: R.Tensor((1, 1, 1, 1), dtype="float32") = R.nn.attention_bias(gv, gv, x, x)
            R.output(gv, gv1)
        gv2: R.Tensor((1, 1, 1, 1), dtype="float32") = gv
        return (gv1, gv2)
