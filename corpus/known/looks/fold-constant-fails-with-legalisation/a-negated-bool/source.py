# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((), dtype="bool")) -> R.Tensor((), dtype="bool"):
        with R.dataflow():
            gv: R.Tensor((), dtype="bool") = R.negative(x)
            R.output(gv)
        return gv
