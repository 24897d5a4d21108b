# Parameters of called functions are not placed: the callers would not fit.
# fault calls-not-updated: form.wrong-type


@I.ir_module
class Source:
    I.module_global_infos({"vdevice": [I.vdevice("llvm", 0, "global"), I.vdevice("llvm", 1, "global")]})

    @R.function
    def main(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        cls = Source
        a = cls.f(x)
        b = R.hint_on_device(x, dst_vdevice=R.device(device_type=1, index=1), memory_scope="global")
        return a

    @R.function(private=True)
    def f(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        a = R.hint_on_device(x, dst_vdevice=R.device(device_type=1, index=0), memory_scope="global")
        return a


@I.ir_module
class Target:
    I.module_global_infos({"vdevice": [I.vdevice("llvm", 0, "global"), I.vdevice("llvm", 1, "global")]})

    @R.function
    def main(x: R.Tensor((2,), "float32", vdevice="llvm:1:global")) -> R.Tensor((2,), "float32"):
        cls = Target
        a = cls.f(x)
        b = x
        return a

    @R.function(private=True)
    def f(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        a = R.to_vdevice(x, dst_vdevice="llvm:0:global")
        return a
