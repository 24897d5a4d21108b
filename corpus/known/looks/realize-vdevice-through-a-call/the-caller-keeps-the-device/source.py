from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm", 0, "global"), I.vdevice("llvm", 1, "global")]})

    @R.function
    def f(x: R.Tensor((2,), dtype="float32", vdevice="llvm:0:global")) -> R.Tensor((2,), dtype="float32", vdevice="llvm:0:global"):
        y = R.hint_on_device(x, dst_vdevice=R.device(device_type=1, index=1), memory_scope="global")
        return y

    @R.function
    def main(x: R.Tensor((2,), dtype="float32", vdevice="llvm:0:global")) -> R.Tensor((2,), dtype="float32", vdevice="llvm:0:global"):
        cls = Module
        z = cls.f(x)
        return z
