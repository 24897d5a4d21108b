# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm", 0, "global")]})
    @R.function(private=True)
    def f(x: R.Tensor((1,), dtype="float32", vdevice="llvm:0:global"), x1: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        gv: R.Tensor((), dtype="float32", vdevice="llvm:0:global") = R.sum(x, keepdims=False)
        gv1: R.Tensor((), dtype="bool", vdevice="llvm:0:global") = R.greater(gv, R.const(0.0, "float32"))
        if gv1:
            gv2: R.Tensor((n,), dtype="float32") = R.bitwise_and(x1, x1)
            gv3: R.Tensor((n,), dtype="float32") = gv2
        else:
            gv3: R.Tensor((n,), dtype="float32") = x1
        return gv3

    @R.function
    def f1(x: R.Tensor((1,), dtype="float32", vdevice="llvm:0:global"), x1: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        cls = Module
        gv: R.Tensor((n,), dtype="float32") = cls.f(x, x1)
        return gv

    @R.function
    def main(x: R.Tensor((1,), dtype="float32", vdevice="llvm:0:global")) -> R.Tensor((1,), dtype="float32"):
        cls = Module
        gv: R.Tensor((1,), dtype="float32") = cls.f(x, R.const([0.0], "float32"))
        return gv
