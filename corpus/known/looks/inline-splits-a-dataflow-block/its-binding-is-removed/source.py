# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def f(x: R.Tuple(R.Tensor((), dtype="float32"), R.Tensor((), dtype="float32"))) -> R.Tuple(R.Tensor((), dtype="float32")):
        gv: R.Tensor((), dtype="float32") = x[1]
        with R.dataflow():
            gv1: R.Tuple(R.Tensor((), dtype="float32")) = (gv,)
            R.output(gv1)
        return gv1

    @R.function
    def main(x: R.Tensor((), dtype="float32")) -> R.Tuple(R.Tensor((), dtype="float32")):
        cls = Module
        with R.dataflow():
            lv: R.Tensor(dtype="float32", ndim=0) = R.match_cast(x, R.Tensor(dtype="float32", ndim=0))
            lv1: R.Tensor((), dtype="float32") = R.match_cast(lv, R.Tensor((), dtype="float32"))
            gv: R.Tuple(R.Tensor((), dtype="float32")) = cls.f((lv1, lv1))
            lv2: R.Tensor((), dtype="float32") = R.match_cast(lv, R.Tensor((), dtype="float32"))
            R.output(gv)
        return gv
