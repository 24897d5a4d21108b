# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm", 0, "global"), I.vdevice("llvm", 1, "global")]})
    @R.function(private=True)
    def f(x: R.Tensor((1,), dtype="float32"), x1: R.Tensor((1,), dtype="float32"), x2: R.Tensor((1,), dtype="float32", vdevice="llvm:1:global"), x3: R.Tensor((1,), dtype="float32", vdevice="llvm:0:global")) -> R.Tuple(R.Tensor((), dtype="float32"), R.Tensor((), dtype="float32"), R.Tensor((1,), dtype="float32", vdevice="llvm:1:global"), R.Tensor((), dtype="float32"), R.Tensor((1,), dtype="float32", vdevice="llvm:0:global"), R.Tensor((), dtype="float32")):
        gv: R.Tuple(R.Tensor((1,), dtype="float32"), R.Tensor((1,), dtype="float32", vdevice="llvm:1:global"), R.Tensor((1,), dtype="float32")) = R.nn.batch_norm(R.const([0.0], "float32"), x1, x2, x2, x1, axis=0, epsilon=1e-05, center=True, scale=True, momentum=0.1, training=True)
        gv1: R.Tensor((1,), dtype="float32", vdevice="llvm:1:global") = gv[1]
        return (R.const(0.0, "float32"), R.const(0.0, "float32"), gv1, R.const(0.0, "float32"), x3, R.const(0.0, "float32"))

    @R.function
    def main(x: R.Tensor((1,), dtype="float32"), x1: R.Tensor((1,), dtype="float32", vdevice="llvm:1:global"), x2: R.Tensor((1,), dtype="float32", vdevice="llvm:0:global")) -> R.Tuple(R.Tensor((), dtype="float32"), R.Tensor((), dtype="float32"), R.Tensor((1,), dtype="float32", vdevice="llvm:1:global"), R.Tensor((), dtype="float32"), R.Tensor((1,), dtype="float32", vdevice="llvm:0:global"), R.Tensor((), dtype="float32")):
        cls = Module
        gv: R.Tuple(R.Tensor((), dtype="float32"), R.Tensor((), dtype="float32"), R.Tensor((1,), dtype="float32", vdevice="llvm:1:global"), R.Tensor((), dtype="float32"), R.Tensor((1,), dtype="float32", vdevice="llvm:0:global"), R.Tensor((), dtype="float32")) = cls.f(x, x, x1, x2)
        return gv
