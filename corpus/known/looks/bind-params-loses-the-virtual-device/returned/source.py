from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm", 0, "global")]})

    @R.function
    def main(w: R.Tensor((1,), dtype="float32", vdevice="llvm:0:global")) -> R.Tensor((1,), dtype="float32", vdevice="llvm:0:global"):
        return w
