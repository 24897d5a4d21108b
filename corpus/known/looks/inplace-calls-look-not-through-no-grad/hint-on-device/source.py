# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm", 0, "global")]})
    @R.function
    def main(x: R.Tensor((), dtype="float32", vdevice="llvm:0:global")) -> R.Tensor((), dtype="float32", vdevice="llvm:0:global"):
        with R.dataflow():
            lv: R.Tensor((), dtype="float32", vdevice="llvm:0:global") = R.hint_on_device(x, dst_vdevice=R.device(device_type=1, index=0), memory_scope="global")
            gv: R.Tensor((), dtype="float32", vdevice="llvm:0:global") = R.add(lv, x)
            R.output(gv)
        return gv
