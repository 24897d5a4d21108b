# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main() -> R.Tensor((3, 3), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((3, 3), dtype="float32") = R.tile(R.const([[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, float("nan")]], "float32"), repeats=[1])
            gv: R.Tensor((3, 3), dtype="float32") = R.subtract(lv, lv)
            R.output(gv)
        return gv
