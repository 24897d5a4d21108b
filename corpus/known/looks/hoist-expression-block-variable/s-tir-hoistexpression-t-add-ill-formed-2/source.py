# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 1, 1, 1), dtype="float32")) -> R.Tensor((1, 1, 2, 1), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((1, 1, 2, 1), dtype="float32") = R.vision.roi_pool(x, R.const([[0.0, 0.0, 0.0, 0.0, 0.0]], "float32"), pooled_size=[2, 1], spatial_scale=1.0, layout="NCHW")
            R.output(lv)
        return lv
