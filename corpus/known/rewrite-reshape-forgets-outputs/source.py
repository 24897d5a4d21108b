# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm", 0, "global")]})
    @R.function
    def main(x: R.Tensor((1, 1, 1), dtype="float32", vdevice="llvm:0:global")) -> R.Tuple(R.Tensor((1, 1), dtype="float32", vdevice="llvm:0:global")):
        with R.dataflow():
            lv: R.Tensor((1, 1), dtype="float32", vdevice="llvm:0:global") = R.layout_transform(x, index_map=T.index_map(lambda i, j, k: (i, j + k)))
            gv: R.Tuple(R.Tensor((1, 1), dtype="float32", vdevice="llvm:0:global")) = (lv,)
            R.output(gv)
        return gv
