@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2, 2), [2, 3, 4, 5])]})
    @R.function
    def main(x: R.Tensor((1,), dtype="float32")) -> R.Tensor(dtype="float32", ndim=1):
        n = T.int64()
        gv: R.Tensor((1,), dtype="float32") = R.dist.annotate_sharding(x, device_mesh="mesh[0]", placement="R, R")
        gv1: R.Tensor((n,), dtype="float32") = R.match_cast(gv, R.Tensor((n,), dtype="float32"))
        gv2: R.Tensor((n,), dtype="float32") = R.dist.annotate_sharding(gv1, device_mesh="mesh[0]", placement="S[0], R")
        return gv2
