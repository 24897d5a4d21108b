# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main() -> R.Tensor((1,), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((1,), dtype="bfloat16") = R.astype(R.const([0.46421674], "float32"), dtype="bfloat16")
            gv: R.Tensor((1,), dtype="float32") = R.astype(lv, dtype="float32")
            R.output(gv)
        return gv
