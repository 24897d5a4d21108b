# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm", 0, "global"), I.vdevice("llvm", 1, "global")]})
    @R.function
    def main(x: R.Tensor((1, 1), dtype="float32", vdevice="llvm:1:global")) -> R.Tensor((1, 1), dtype="float32", vdevice="llvm:1:global"):
        @R.function
        def inner(x1: R.Tensor((1, 1), dtype="float32", vdevice="llvm:1:global")) -> R.Tensor((1, 1), dtype="float32", vdevice="llvm:1:global"):
            gv: R.Tensor((1, 1), dtype="float32", vdevice="llvm:1:global") = R.eye_like(x1, 1)
            return gv
        gv1: R.Tensor((1, 1), dtype="float32", vdevice="llvm:1:global") = inner(x)
        return gv1
