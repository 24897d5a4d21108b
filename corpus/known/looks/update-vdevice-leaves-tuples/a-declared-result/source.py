# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm", 0, "global"), I.vdevice("llvm", 1, "global")]})
    @R.function
    def main(x: R.Tensor((), dtype="bool", vdevice="llvm:1:global")) -> R.Tensor((), dtype="bool", vdevice="llvm:1:global"):
        return x
