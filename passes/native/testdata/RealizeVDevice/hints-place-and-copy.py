# A hint places a parameter; where the device changes it becomes a copy.
# fault first-device: form.wrong-type
# fault hint-dropped: form.wrong-type
# fault input-mutated


@I.ir_module
class Source:
    I.module_global_infos({"vdevice": [I.vdevice("llvm", 0, "global"), I.vdevice("llvm", 1, "global")]})

    @R.function
    def main(x: R.Tensor((2,), "float32"), y: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        with R.dataflow():
            a = R.hint_on_device(x, dst_vdevice=R.device(device_type=1, index=0), memory_scope="global")
            b = R.add(a, y)
            c = R.hint_on_device(b, dst_vdevice=R.device(device_type=1, index=1), memory_scope="global")
            R.output(c)
        return c


@I.ir_module
class Target:
    I.module_global_infos({"vdevice": [I.vdevice("llvm", 0, "global"), I.vdevice("llvm", 1, "global")]})

    @R.function
    def main(
        x: R.Tensor((2,), "float32", vdevice="llvm:0:global"),
        y: R.Tensor((2,), "float32", vdevice="llvm:0:global"),
    ) -> R.Tensor((2,), "float32", vdevice="llvm:1:global"):
        with R.dataflow():
            a = x
            b = R.add(a, y)
            c = R.to_vdevice(b, dst_vdevice="llvm:1:global")
            R.output(c)
        return c
