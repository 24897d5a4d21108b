# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm", 0, "global")]})
    @R.function
    def main(x: R.Tensor((1,), dtype="float32"), x1: R.Tensor((1,), dtype="float32", vdevice="llvm:0:global")) -> R.Tuple(R.Tensor(dtype="float32", ndim=1), R.Tuple(R.Tensor((1,), dtype="float32"), R.Tensor((1,), dtype="float32"), R.Tensor((1,), dtype="float32", vdevice="llvm:0:global"))):
        n = T.int64()
        gv: R.Tensor((n,), dtype="float32") = R.match_cast(x, R.Tensor((n,), dtype="float32"))
        gv1: R.Tuple(R.Tensor((1,), dtype="float32"), R.Tensor((1,), dtype="float32"), R.Tensor((1,), dtype="float32", vdevice="llvm:0:global")) = R.nn.batch_norm(x, x1, x, x, x1, axis=0, epsilon=1e-05, center=True, scale=True, momentum=0.1, training=True)
        return (gv, gv1)
