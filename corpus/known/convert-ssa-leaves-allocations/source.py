# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm", 0, "global")]})
    @R.function
    def main(x: R.Tensor(("n",), dtype="float32"), y: R.Tensor(("n",), dtype="float32", vdevice="llvm:0:global")) -> R.Tuple(R.Tensor(("n",), dtype="float32"), R.Tensor(("n",), dtype="float32", vdevice="llvm:0:global")):
        n = T.int64()
        gv: R.Tensor((n,), dtype="float32") = R.nn.gelu(x)
        gv1: R.Tensor((n,), dtype="float32", vdevice="llvm:0:global") = R.nn.gelu(y)
        return (gv, gv1)
