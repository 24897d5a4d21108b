@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((1,), I.Range(0, 1))]})
    @R.function
    def main(x: R.Tensor((1,), dtype="bfloat16")) -> R.Tensor((1,), dtype="bfloat16"):
        gv: R.Tensor((1,), dtype="bfloat16") = R.dist.annotate_sharding(x, device_mesh="mesh[0]", placement="R")
        gv1: R.Tensor((1,), dtype="bfloat16") = R.nn.softmax(gv, axis=-1)
        return gv1
