# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2,), dtype="float32")) -> R.Tensor((), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((2,), dtype="bfloat16") = R.astype(x, dtype="bfloat16")
            lv1: R.Tensor((2,), dtype="float32") = R.astype(lv, dtype="float32")
            gv: R.Tensor((), dtype="float32") = R.matmul(lv1, x, out_dtype="float32")
            R.output(gv)
        return gv
