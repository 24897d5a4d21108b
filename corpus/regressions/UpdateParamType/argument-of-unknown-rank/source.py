# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def f(x: R.Tensor((), dtype="float32"), x1: R.Tensor((), dtype="float32")) -> R.Tensor((), dtype="float32"):
        return x1

    @R.function
    def main(x: R.Tensor((), dtype="float32")) -> R.Tensor((), dtype="float32"):
        cls = Module
        gv: R.Tensor((), dtype="float32") = R.squeeze(x)
        gv1: R.Tuple(R.Tensor((), dtype="float32"), R.Tensor((), dtype="float32")) = R.nn.dropout(gv, rate=0.5)
        gv2: R.Tensor((), dtype="float32") = gv1[1]
        gv3: R.Tensor((), dtype="float32") = cls.f(gv2, x)
        return gv3
