# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def f(x: R.Tuple(R.Tensor((), dtype="float32"), R.Tensor((), dtype="float32"))) -> R.Tuple(R.Tensor((), dtype="float32"), R.Tensor((), dtype="float32")):
        return x

    @R.function
    def main(x: R.Tensor((), dtype="float32")) -> R.Tuple(R.Tuple(R.Tensor((), dtype="float32")), R.Tensor((), dtype="float32")):
        cls = Module
        with R.dataflow():
            gv: R.Tuple(R.Tensor((), dtype="float32"), R.Tensor((), dtype="float32")) = cls.f((x, x))
            R.output(gv)
        gv1: R.Tuple(R.Tensor((), dtype="float32")) = (x,)
        with R.dataflow():
            lv: R.Tensor((), dtype="float32") = gv[1]
            gv2: R.Tuple(R.Tuple(R.Tensor((), dtype="float32")), R.Tensor((), dtype="float32")) = (gv1, lv)
            R.output(gv2)
        return gv2
