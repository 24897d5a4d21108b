@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((3,), I.Range(0, 3))]})
    @R.function
    def main(x: R.Tensor((), dtype="float32")) -> R.Tensor((), dtype="float32"):
        gv: R.Tensor((), dtype="float32") = R.dist.annotate_sharding(x, device_mesh="mesh[0]", placement="R")
        gv1: R.Tensor((), dtype="float32") = R.const(0.0, "float32")
        gv2: R.Tensor((), dtype="float32") = R.minimum(gv1, gv)
        return gv2
