# One value cannot be on two devices.
# rejects: native.conflicting-devices


@I.ir_module
class Source:
    I.module_global_infos({"vdevice": [I.vdevice("llvm", 0, "global"), I.vdevice("llvm", 1, "global")]})

    @R.function
    def main(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        a = R.hint_on_device(x, dst_vdevice=R.device(device_type=1, index=0), memory_scope="global")
        b = R.hint_on_device(x, dst_vdevice=R.device(device_type=1, index=1), memory_scope="global")
        c = R.add(a, b)
        return c
