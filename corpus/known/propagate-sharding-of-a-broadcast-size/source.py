@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((1,), I.Range(0, 1))]})
    @R.function
    def main(x: R.Tensor((1,), dtype="float32"), x1: R.Tensor(("n",), dtype="float32"), x2: R.Tensor((2,), dtype="float32")) -> R.Tuple(R.Tensor((1,), dtype="float32"), R.Tensor(dtype="bool", ndim=1)):
        n = T.int64()
        gv: R.Tensor((1,), dtype="float32") = R.dist.annotate_sharding(x, device_mesh="mesh[0]", placement="S[0]")
        gv1: R.Tensor(dtype="bool", ndim=1) = R.not_equal(x2, x1)
        return (gv, gv1)
