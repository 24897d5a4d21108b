# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2, 1), I.Range(2, 4))]})
    @R.function
    def main(x: R.Tensor((2, 2), dtype="float32"), x1: R.Tensor((2,), dtype="float32")) -> R.Tensor((2,), dtype="float32"):
        gv: R.Tensor((2, 2), dtype="float32") = R.dist.annotate_sharding(x, device_mesh="mesh[0]", placement="S[0], S[1]")
        gv1: R.Tensor((2,), dtype="float32") = R.matmul(x1, gv)
        return gv1
