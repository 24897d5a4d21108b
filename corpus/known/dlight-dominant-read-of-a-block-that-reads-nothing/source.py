# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main() -> R.Tensor((), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((2,), dtype="float32") = R.ones(R.shape([2]), dtype="float32")
            gv: R.Tensor((), dtype="float32") = R.sum(lv, keepdims=False)
            R.output(gv)
        return gv
