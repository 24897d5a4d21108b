# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm", 0, "global"), I.vdevice("llvm", 1, "global")]})
    @R.function
    def f(x: R.Tensor((), dtype="float32", vdevice="llvm:1:global")) -> R.Tensor((), dtype="float32"):
        return R.const(0.0, "float32")

    @R.function
    def main(x: R.Tensor((), dtype="float32", vdevice="llvm:1:global")) -> R.Tensor((), dtype="float32"):
        cls = Module
        gv: R.Tensor((), dtype="float32") = cls.f(x)
        @R.function
        def inner(x1: R.Tensor((), dtype="float32")) -> R.Tensor((), dtype="float32"):
            return x1
        gv1: R.Tensor((), dtype="float32") = inner(gv)
        return gv1
