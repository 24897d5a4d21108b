# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1,), dtype="int32")) -> R.Tensor((), dtype="int32"):
        with R.dataflow():
            lv: R.Tensor((), dtype="int32") = R.matmul(x, x)
            gv: R.Tensor((), dtype="int32") = R.bitwise_not(lv)
            R.output(gv)
        return gv
