# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm", 0, "global"), I.vdevice("llvm", 1, "global")]})
    @R.function
    def main(x: R.Tensor((1,), dtype="int32", vdevice="llvm:0:global"), x1: R.Tensor((1, 1, 1), dtype="int32"), x2: R.Tensor((1,), dtype="int32", vdevice="llvm:1:global")) -> R.Tensor((1, 1, 1), dtype="bool", vdevice="llvm:1:global"):
        gv: R.Tensor((1, 1, 1), dtype="int32") = R.take(x1, x, axis=-3, mode="clip")
        gv1: R.Tensor((1, 1, 1), dtype="bool", vdevice="llvm:1:global") = R.equal(x2, gv)
        return gv1
