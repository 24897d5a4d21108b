from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm", 0, "global"), I.vdevice("llvm", 1, "global")]})

    @R.function
    def main(x: R.Tensor((3,), dtype="float32")) -> R.Tensor((3,), dtype="float32", vdevice="llvm:1:global"):
        with R.dataflow():
            lv: R.Tensor((3,), dtype="float32", vdevice="llvm:1:global") = R.to_vdevice(x, dst_vdevice="llvm:1:global")
            lv1: R.Tensor((3,), dtype="float32", vdevice="llvm:1:global") = R.subtract(lv, lv)
            R.output(lv1)
        return lv1
