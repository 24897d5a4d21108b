# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2,), dtype="bfloat16")) -> R.Tensor(dtype="bfloat16", ndim=1):
        with R.dataflow():
            lv: R.Tensor((2,), dtype="bfloat16") = R.nn.gelu(x)
            lv1: R.Tensor((2,), dtype="bfloat16") = R.floor_divide(lv, x)
            gv: R.Tensor(dtype="bfloat16", ndim=1) = R.unique(lv1, 1, 0, 0, 0)
            R.output(gv)
        return gv
