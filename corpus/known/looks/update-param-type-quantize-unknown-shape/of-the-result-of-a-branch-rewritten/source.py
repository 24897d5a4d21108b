# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 2), dtype="float32"), x1: R.Tensor((), dtype="float32"), x2: R.Tensor((), dtype="bool")) -> R.Tensor(("n", 2), dtype="int8"):
        n = T.int64()
        if x2:
            gv: R.Tensor((n, 2), dtype="float32") = R.nn.prelu(x, x1, axis=1)
            gv1: R.Tensor((n, 2), dtype="float32") = gv
        else:
            gv1: R.Tensor((n, 2), dtype="float32") = x
        gv2: R.Tensor((n, 2), dtype="int8") = R.quantize(gv1, x1, R.const([0, 0], "uint16"), axis=-1, out_dtype="int8")
        return gv2
