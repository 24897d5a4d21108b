# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm", 0, "global")]})
    @R.function
    def main(x: R.Tensor((), dtype="int32", vdevice="llvm:0:global")) -> R.Tensor((), dtype="int32", vdevice="llvm:0:global"):
        with R.dataflow():
            lv: R.Tensor((), dtype="int32", vdevice="llvm:0:global") = R.reshape(x, R.shape([]))
            lv1: R.Tensor((), dtype="int32", vdevice="llvm:0:global") = R.match_cast(lv, R.Tensor((), dtype="int32", vdevice="llvm:0:global"))
            gv: R.Tensor((), dtype="int32", vdevice="llvm:0:global") = R.bitwise_xor(lv1, lv)
            R.output(gv)
        return gv
