# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(w: R.Tensor((1, 1, 3, 2), dtype="float32"), w1: R.Tensor((3,), dtype="float32")) -> R.Tensor((1, 1, 3, 2), dtype="float32"):
        with R.dataflow():
            lv3: R.Tensor((1, 1, 3, 2), dtype="float32") = R.nn.layer_norm(w, w1, w1, axes=[-2], epsilon=1e-05, center=True, scale=True)
            R.output(lv3)
        return lv3
