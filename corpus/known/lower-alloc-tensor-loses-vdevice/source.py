# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm", 0, "global")]})
    @R.function
    def main(w: R.Tensor((1, 1, 1), dtype="float32")) -> R.Tensor((), dtype="float32"):
        cls = Module
        with R.dataflow():
            lv: R.Tensor((1, 1, 1), dtype="float32", vdevice="llvm:0:global") = R.to_vdevice(w, dst_vdevice="llvm:0:global")
            lv1: R.Tensor((1, 1, 1), dtype="float32", vdevice="llvm:0:global") = R.add(lv, lv)
            lv6: R.Tensor((), dtype="float32") = cls.helper(lv1)
            R.output(lv6)
        return lv6

    @R.function
    def helper(x: R.Tensor((1, 1, 1), dtype="float32", vdevice="llvm:0:global")) -> R.Tensor((), dtype="float32"):
        return R.const(0.0, "float32")
