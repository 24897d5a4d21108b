# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm", 0, "global")]})
    @R.function
    def main(x: R.Tensor((1, 1), dtype="float32", vdevice="llvm:0:global"), lv10: R.Tensor((1, 1), dtype="float32")) -> R.Tensor((1, 1), dtype="float32", vdevice="llvm:0:global"):
        with R.dataflow():
            lv11: R.Tensor((1, 1), dtype="float32", vdevice="llvm:0:global") = R.permute_dims(x)
            lv12: R.Tensor((1, 1), dtype="float32", vdevice="llvm:0:global") = R.matmul(lv10, lv11)
            R.output(lv12)
        return lv12
