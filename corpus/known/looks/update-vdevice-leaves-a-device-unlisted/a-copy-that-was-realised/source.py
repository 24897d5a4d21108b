# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm", 0, "global"), I.vdevice("llvm", 1, "global")]})
    @R.function
    def main(x: R.Tensor((), dtype="float32")) -> R.Tensor((), dtype="float32"):
        gv: R.Tensor((), dtype="float32") = R.hint_on_device(x, dst_vdevice=R.device(device_type=1, index=1), memory_scope="global")
        gv1: R.Tensor((), dtype="float32") = R.hint_on_device(gv, dst_vdevice=R.device(device_type=1, index=0), memory_scope="global")
        return gv1
