# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm", 0, "global"), I.vdevice("llvm", 1, "global")]})
    @R.function
    def main(x: R.Tensor((), dtype="float32", vdevice="llvm:1:global"), x1: R.Tensor((), dtype="float32")) -> R.Tuple(R.Tensor((1,), dtype="float32", vdevice="llvm:1:global"), R.Tensor((1,), dtype="float32")):
        gv: R.Tensor((1,), dtype="float32", vdevice="llvm:1:global") = R.cumsum(x, exclusive=False)
        gv1: R.Tensor((1,), dtype="float32") = R.cumsum(x1, exclusive=False)
        return (gv, gv1)
