# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm", 0, "global"), I.vdevice("llvm", 1, "global")]})
    @R.function
    def main(x: R.Tensor((2, 4, 3, 3), dtype="float32")) -> R.Tensor((2, 2, 1, 3), dtype="float32"):
        R.func_attr({"num_input": 1})
        gv: R.Tensor((2, 2, 1, 3), dtype="float32") = R.image.resize2d(x, R.shape([2, 1]), roi=[0.0, 0.0, 0.0, 0.0], layout="NHWC", method="cubic", coordinate_transformation_mode="half_pixel", rounding_method="round_prefer_floor", cubic_alpha=-0.75, cubic_exclude=1, extrapolation_value=0.0)
        return gv
