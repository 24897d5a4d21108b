# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm", 0, "global"), I.vdevice("llvm", 1, "global")]})
    @R.function
    def main(x: R.Tensor((1, 1), dtype="float32"), x1: R.Tensor((1, 1), dtype="float32", vdevice="llvm:0:global"), x2: R.Tensor((1, 1), dtype="float32", vdevice="llvm:1:global")) -> R.Tensor((1, 1), dtype="float32", vdevice="llvm:1:global"):
        with R.dataflow():
            lv: R.Tensor((1, 1), dtype="float32", vdevice="llvm:0:global") = R.matmul(x, x1)
            lv1: R.Tensor((1, 1), dtype="float32", vdevice="llvm:1:global") = R.matmul(x, x2)
            gv: R.Tensor((1, 1), dtype="float32", vdevice="llvm:1:global") = R.match_cast(lv1, R.Tensor((1, 1), dtype="float32", vdevice="llvm:1:global"))
            R.output(gv)
        return gv
