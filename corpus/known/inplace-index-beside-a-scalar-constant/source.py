# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main() -> R.Tensor((), dtype="float32"):
        with R.dataflow():
            lv: R.Tuple(R.Tensor((), dtype="float32")) = (R.const(0.0, "float32"),)
            lv1: R.Tensor((), dtype="float32") = lv[0]
            gv: R.Tensor((), dtype="float32") = R.multiply(R.const(0.0, "float32"), lv1)
            R.output(gv)
        return gv
