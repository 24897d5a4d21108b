# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm", 0, "global"), I.vdevice("llvm", 1, "global")]})
    @R.function
    def main(x: R.Tensor((1, 1, "n"), dtype="float32", vdevice="llvm:1:global"), w: R.Tensor((1, 1, 1), dtype="float32", vdevice="llvm:1:global")) -> R.Tensor((1, 1, "n"), dtype="float32", vdevice="llvm:1:global"):
        n = T.int64()
        cls = Module
        y: R.Tensor((1, 1, n), dtype="float32", vdevice="llvm:1:global") = cls.f(x, w)
        return y

    @R.function(private=True)
    def f(x: R.Tensor((1, 1, "n"), dtype="float32", vdevice="llvm:1:global"), w: R.Tensor((1, 1, 1), dtype="float32", vdevice="llvm:1:global")) -> R.Tensor((1, 1, "n"), dtype="float32", vdevice="llvm:1:global"):
        n = T.int64()
        y: R.Tensor((1, 1, n), dtype="float32", vdevice="llvm:1:global") = R.nn.conv1d(x, w)
        return y
