# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 2), dtype="float32"), w: R.Tensor((), dtype="float32"), w1: R.Tensor((1, 1, 1, 1, 1), dtype="float32"), w2: R.Tensor((2,), dtype="int32")) -> R.Tensor((2, 2), dtype="float32"):
        R.func_attr({"num_input": 1})
        gv: R.Tensor((), dtype="float32") = R.clip(w, R.prim_value(T.float64(0.0)), R.prim_value(T.float64(3.5)))
        gv1: R.Tensor((1, 1, 2, 2, 1), dtype="float32") = R.image.resize3d(w1, R.shape([2, 2, 1]), roi=[0.0, 0.0, 0.0, 0.0, 0.0, 0.0], layout="NCDHW", method="linear", coordinate_transformation_mode="half_pixel", rounding_method="", cubic_alpha=-0.75, cubic_exclude=0, extrapolation_value=0.0)
        gv2: R.Tensor((), dtype="float32") = R.nn.nll_loss(x, w2, reduction="mean", ignore_index=0)
        gv3: R.Tensor((2, 2), dtype="float32") = R.squeeze(gv1)
        return gv3
