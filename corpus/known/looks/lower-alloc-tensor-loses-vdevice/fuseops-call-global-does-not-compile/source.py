# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm", 0, "global"), I.vdevice("llvm", 1, "global")]})
    @R.function
    def main(x: R.Tensor((1, 1), dtype="float32", vdevice="llvm:0:global")) -> R.Tuple(R.Tensor((1, 1), dtype="float32", vdevice="llvm:0:global"), R.Tensor((1, 1), dtype="float32", vdevice="llvm:0:global")):
        with R.dataflow():
            gv: R.Tensor((1, 1), dtype="float32", vdevice="llvm:0:global") = R.strided_slice(x, (1,), (-3,), (1,), (1,), assume_inbound=False)
            lv: R.Tensor((1, 1), dtype="float32", vdevice="llvm:0:global") = R.strided_slice(gv, (1,), (0,), (1,), (1,), assume_inbound=False)
            gv1: R.Tensor((1, 1), dtype="float32", vdevice="llvm:0:global") = R.strided_slice(lv, (-2,), (0,), (1,), (1,), assume_inbound=False)
            R.output(gv, gv1)
        return (gv, gv1)
