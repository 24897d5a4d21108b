# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm", 0, "global"), I.vdevice("llvm", 1, "global")]})
    @R.function
    def main(x: R.Tensor((1, 1), dtype="float32"), x1: R.Tensor((1, 1), dtype="int32", vdevice="llvm:0:global"), x2: R.Tensor((1,), dtype="float32")) -> R.Tuple(R.Tensor((1, 1), dtype="int32"), R.Tensor((2, 1), dtype="int32", vdevice="llvm:0:global")):
        gv: R.Tensor((1,), dtype="int32") = R.floor_mod(R.const([0], "int32"), R.const([0], "int32"))
        gv1: R.Tensor((1, 1), dtype="int32") = R.memory.view(gv, R.shape([1, 1]), R.tuple(), R.tuple())
        gv2: R.Tensor((1, 1), dtype="float32") = R.add(x, x2)
        gv3: R.Tensor((1, 1), dtype="int32") = R.matmul(x, gv2, out_dtype="int32")
        gv4: R.Tensor((2, 1), dtype="int32", vdevice="llvm:0:global") = R.concat((gv3, x1), axis=0)
        return (gv1, gv4)
