# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((1,), I.Range(0, 1))]})
    @R.function
    def main(x: R.Tensor((1,), dtype="bool"), x1: R.Tuple(R.Tuple(R.Tensor((1,), dtype="float32")))) -> R.Tuple(R.Tensor((1,), dtype="bool"), R.Tuple(R.Tuple(R.Tensor((1,), dtype="float32")))):
        gv: R.Tensor((1,), dtype="bool") = R.dist.annotate_sharding(x, device_mesh="mesh[0]", placement="S[0]")
        gv1: R.Tuple(R.Tuple(R.Tensor((1,), dtype="float32"))) = x1
        return (gv, gv1)
