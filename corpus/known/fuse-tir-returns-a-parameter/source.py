# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tuple(R.Tensor((), dtype="int32"))) -> R.Tensor((), dtype="int32"):
        with R.dataflow():
            lv: R.Tensor((), dtype="int32") = x[0]
            gv: R.Tensor((), dtype="int32") = R.bitwise_not(lv)
            lv1: R.Tensor((), dtype="int32") = R.match_cast(lv, R.Tensor((), dtype="int32"))
            R.output(gv)
        return gv
