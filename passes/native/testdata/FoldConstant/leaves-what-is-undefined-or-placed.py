# Calls that are undefined on their constants or overflow are left to run time, and so are copies to devices.
# unchanged


@I.ir_module
class Source:
    I.module_global_infos({"vdevice": [I.vdevice("llvm", 0, "global")]})

    @R.function
    def main(
        x: R.Tensor((2,), "float32"),
    ) -> R.Tuple(
        R.Tensor((1,), "float32"),
        R.Tensor((), "int32"),
        R.Tensor((), "int32"),
        R.Tensor((2,), "float32"),
        R.Tensor((2,), "float32"),
    ):
        with R.dataflow():
            a = R.take(R.const([1.0, 2.0], "float32"), R.const([2], "int64"), axis=0, mode="fast")
            b = R.floor_divide(R.const(1, "int32"), R.const(0, "int32"))
            c = R.add(R.const(2147483647, "int32"), R.const(1, "int32"))
            d = R.to_vdevice(R.const([1.0, 2.0], "float32"), dst_vdevice="llvm:0:global")
            e = R.hint_on_device(R.const([1.0, 2.0], "float32"), dst_vdevice=R.device(device_type=1, index=0), memory_scope="global")
            R.output(a, b, c, d, e)
        return (a, b, c, d, e)
