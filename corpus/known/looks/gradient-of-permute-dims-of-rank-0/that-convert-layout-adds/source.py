# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((), dtype="float32"), x1: R.Tensor((), dtype="bool")) -> R.Tuple(R.Tensor((), dtype="float32"), R.Tensor((), dtype="bool")):
        with R.dataflow():
            gv: R.Tensor((), dtype="bool") = R.prod(x1, keepdims=False)
            R.output(gv)
        return (x, gv)
