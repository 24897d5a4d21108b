from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm", 0, "global"), I.vdevice("llvm", 1, "global")]})
    @R.function
    def main(x: R.Tensor((1, 1), dtype="float32"), w: R.Tensor((1, 1), dtype="float32", vdevice="llvm:0:global"), v: R.Tensor((1, 1), dtype="float32", vdevice="llvm:1:global")) -> R.Tuple(R.Tensor((1, 1), dtype="float32", vdevice="llvm:0:global"), R.Tensor((1, 1), dtype="float32", vdevice="llvm:1:global")):
        with R.dataflow():
            y = R.matmul(x, w)
            z = R.matmul(x, v)
            R.output(y, z)
        return (y, z)
