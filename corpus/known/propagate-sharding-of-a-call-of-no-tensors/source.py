# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((1,), I.Range(2, 3))]})
    @R.function
    def main(x: R.Tensor((0, 1), dtype="float32")) -> R.Tensor((1, 1), dtype="float32"):
        gv: R.Tensor((0, 1), dtype="float32") = R.dist.annotate_sharding(x, device_mesh="mesh[0]", placement="R")
        gv1: R.Tensor((1, 1), dtype="float32") = R.sum(gv, keepdims=True)
        gv2: R.Tensor((1, 1), dtype="float32") = R.dist.annotate_sharding(gv1, device_mesh="mesh[0]", placement="S[1]")
        return gv2
