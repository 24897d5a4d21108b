# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm", 0, "global"), I.vdevice("llvm", 1, "global")]})
    @R.function
    def main() -> R.Tensor((), dtype="float32"):
        gv: R.Tensor((1, 1), dtype="float32") = R.hint_on_device(R.const([[0.0]], "float32"), dst_vdevice=R.device(device_type=1, index=1), memory_scope="global")
        gv1: R.Tensor((), dtype="float32") = R.prod(gv, keepdims=False)
        return gv1
