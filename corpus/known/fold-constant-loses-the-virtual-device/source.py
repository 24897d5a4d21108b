# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm", 0, "global")]})
    @R.function
    def main(x: R.Tensor((1, 1), dtype="float32", vdevice="llvm:0:global"), x1: R.Tensor((1, 1), dtype="bfloat16")) -> R.Tuple(R.Tensor((1, 1), dtype="float32", vdevice="llvm:0:global"), R.Tensor(dtype="bfloat16", ndim=2)):
        n = T.int64()
        with R.dataflow():
            gv: R.Tensor((1, 1), dtype="float32", vdevice="llvm:0:global") = R.ones_like(x)
            gv1: R.Tensor((n, 1), dtype="bfloat16") = R.match_cast(x1, R.Tensor((n, 1), dtype="bfloat16"))
            R.output(gv, gv1)
        return (gv, gv1)
