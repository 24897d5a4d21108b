from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm", 0, "global")]})
    @R.function
    def main(x: R.Tensor((1, 1, 1), dtype="float32", vdevice="llvm:0:global"), w: R.Tensor((1, 1, 1), dtype="float32", vdevice="llvm:0:global")) -> R.Tensor((1, 1, 1), dtype="float32", vdevice="llvm:0:global"):
        cls = Module
        with R.dataflow():
            y = R.nn.conv1d(x, w)
            z = cls.f(y)
            R.output(z)
        return z

    @R.function
    def f(x: R.Tensor((1, 1, 1), dtype="float32", vdevice="llvm:0:global")) -> R.Tensor((1, 1, 1), dtype="float32", vdevice="llvm:0:global"):
        return x
