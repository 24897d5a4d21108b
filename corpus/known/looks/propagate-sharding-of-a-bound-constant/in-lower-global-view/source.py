@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(2, 4))]})
    @R.function
    def main(x: R.Tensor((), dtype="float32")) -> R.Tuple(R.Tensor((), dtype="float32"), R.Tensor((), dtype="float32")):
        gv: R.Tensor((), dtype="float32") = R.dist.annotate_sharding(x, device_mesh="mesh[0]", placement="R")
        gv1: R.Tensor((), dtype="float32") = R.const(0.0, "float32")
        gv2: R.Tensor((), dtype="float32") = R.multiply(gv1, x)
        return (gv, gv2)
