# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((), dtype="float32"), x1: R.Tuple(R.Tensor((), dtype="bool"))) -> R.Tuple(R.Tensor((), dtype="bool"), R.Tuple(R.Tuple(), R.Tensor((), dtype="bool"))):
        R.func_attr({"num_input": 2})
        with R.dataflow():
            lv: R.Tensor((), dtype="bool") = x1[0]
            gv: R.Tuple(R.Tuple(R.Tensor((), dtype="bool")), R.Tensor((), dtype="bool")) = ((lv,), lv)
            R.output(gv)
        @R.function
        def inner(x2: R.Tensor((), dtype="float32")) -> R.Tensor((), dtype="bool"):
            gv1: R.Tensor((), dtype="bool") = R.greater_equal(x2, x)
            return gv1
        with R.dataflow():
            gv2: R.Tensor((), dtype="bool") = inner(x)
            lv1: R.Tensor((), dtype="bool") = gv[1]
            gv3: R.Tuple(R.Tuple(), R.Tensor((), dtype="bool")) = (R.tuple(), lv1)
            R.output(gv2, gv3)
        return (gv2, gv3)
