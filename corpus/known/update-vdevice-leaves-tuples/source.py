# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm", 0, "global"), I.vdevice("llvm", 1, "global")]})
    @R.function
    def main(x: R.Tensor((2, 2, 2), dtype="float32", vdevice="llvm:1:global"), x1: R.Tensor((2, 2, 2), dtype="float32", vdevice="llvm:1:global"), x2: R.Tensor((3, 3), dtype="float32")) -> R.Tuple():
        cls = Module
        @R.function
        def inner(x3: R.Tensor((3, 3), dtype="float32")) -> R.Tensor((2, 2, 2), dtype="float32", vdevice="llvm:1:global"):
            gv: R.Tensor((2, 2, 2), dtype="float32", vdevice="llvm:1:global") = R.nn.layer_norm(x1, R.const([-4.0, 1.0], "float32"), R.const([-4.0, 1.0], "float32"), axes=[1], epsilon=0.5, center=True, scale=True)
            return gv
        gv1: R.Tensor((2, 2, 2), dtype="float32", vdevice="llvm:1:global") = inner(x2)
        gv2: R.Tuple() = cls.f((gv1, x))
        return gv2

    @R.function
    def f(x: R.Tuple(R.Tensor((2, 2, 2), dtype="float32", vdevice="llvm:1:global"), R.Tensor((2, 2, 2), dtype="float32", vdevice="llvm:1:global"))) -> R.Tuple():
        gv: R.Tuple() = R.tuple()
        return gv
