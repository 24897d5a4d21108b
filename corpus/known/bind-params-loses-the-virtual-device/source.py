from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm", 0, "global")]})

    @R.function
    def main(w: R.Tensor((2,), dtype="float32", vdevice="llvm:0:global")) -> R.Tensor((2,), dtype="float32", vdevice="llvm:0:global"):
        cls = Module
        gv: R.Tensor((2,), dtype="float32", vdevice="llvm:0:global") = cls.same(w)
        return gv

    @R.function(private=True)
    def same(x: R.Tensor((2,), dtype="float32", vdevice="llvm:0:global")) -> R.Tensor((2,), dtype="float32", vdevice="llvm:0:global"):
        return x
