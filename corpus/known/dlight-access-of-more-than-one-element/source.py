# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 1, 1, 1), dtype="float32")) -> R.Tensor((1, 1, 1, 1), dtype="float32"):
        gv: R.Tensor((1, 1, 1, 1), dtype="float32") = R.vision.roi_align(x, R.const([[0.0, 0.0, 0.0, 0.0, 0.0]], "float32"), pooled_size=[1, 1], spatial_scale=1.0, sample_ratio=2, aligned=False, layout="NCHW", mode="avg")
        return gv
