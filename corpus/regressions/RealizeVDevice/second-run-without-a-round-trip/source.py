# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm", 0, "global")]})
    @R.function
    def f(x: R.Tensor((1,), dtype="float32"), x1: R.Tensor((), dtype="float32"), x2: R.Tensor((1,), dtype="int32", vdevice="llvm:0:global")) -> R.Tensor((1,), dtype="int8"):
        gv: R.Tensor((1,), dtype="int8") = R.quantize(x, x1, x2, axis=-1, out_dtype="int8")
        return gv

    @R.function
    def main(x: R.Tensor((1,), dtype="float32"), x1: R.Tensor((), dtype="float32"), x2: R.Tensor((1,), dtype="int32", vdevice="llvm:0:global")) -> R.Tensor((1,), dtype="int8"):
        cls = Module
        gv: R.Tensor((1,), dtype="int8") = cls.f(x, x1, x2)
        return gv
