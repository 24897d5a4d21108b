# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((), dtype="float32")) -> R.Tuple(R.Tensor((), dtype="float32"), R.Tensor((), dtype="float32")):
        with R.dataflow():
            lv: R.Tensor((), dtype="float32") = R.ones_like(x)
            gv: R.Tuple(R.Tensor((), dtype="float32")) = (lv,)
            R.output(gv)
        @R.function
        def inner() -> R.Tensor((), dtype="float32"):
            return x
        with R.dataflow():
            lv1: R.Tensor((), dtype="float32") = inner()
            lv2: R.Tensor((), dtype="float32") = gv[0]
            gv1: R.Tuple(R.Tensor((), dtype="float32"), R.Tensor((), dtype="float32")) = (lv1, lv2)
            R.output(gv1)
        return gv1
