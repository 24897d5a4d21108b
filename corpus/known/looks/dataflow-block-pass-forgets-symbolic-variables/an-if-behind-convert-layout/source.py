# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm", 0, "global"), I.vdevice("llvm", 1, "global")]})
    @R.function
    def main(x: R.Tensor((), dtype="bool"), x1: R.Tensor((1,), dtype="float32", vdevice="llvm:1:global")) -> R.Tuple(R.Tensor(dtype="float32", vdevice="llvm:1:global", ndim=1)):
        n = T.int64()
        with R.dataflow():
            gv: R.Tensor((n,), dtype="float32", vdevice="llvm:1:global") = R.match_cast(x1, R.Tensor((n,), dtype="float32", vdevice="llvm:1:global"))
            R.output(gv)
        if x:
            gv1: R.Tensor((n,), dtype="float32", vdevice="llvm:1:global") = R.floor_mod(gv, gv)
            gv2: R.Tensor((n,), dtype="float32", vdevice="llvm:1:global") = gv1
        else:
            gv2: R.Tensor((n,), dtype="float32", vdevice="llvm:1:global") = gv
        with R.dataflow():
            gv3: R.Tuple(R.Tensor((n,), dtype="float32", vdevice="llvm:1:global")) = (gv2,)
            R.output(gv3)
        return gv3
