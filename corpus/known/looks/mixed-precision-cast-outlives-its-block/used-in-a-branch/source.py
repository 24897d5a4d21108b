# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((), dtype="bool"), x1: R.Tensor((4,), dtype="int64"), x2: R.Tensor((2, 2, 2, 2), dtype="float32"), x3: R.Tensor((2,), dtype="int32"), x4: R.Tensor((2, 4), dtype="float32"), x5: R.Tensor((1, 1, 1, 2, 2), dtype="bfloat16"), w: R.Tensor((2, 1, 2, 2), dtype="float32"), w1: R.Tensor((2,), dtype="float32")) -> R.Tuple(R.Tensor((2,), dtype="float32"), R.Tensor((2, 2, 2, 2), dtype="float32"), R.Tensor((2,), dtype="int32"), R.Tensor((2, 4), dtype="float32"), R.Tensor((1, 1, 1, 2, 2), dtype="bfloat16"), R.Tensor((2, 2, 2, 1), dtype="float32")):
        R.func_attr({"num_input": 6})
        with R.dataflow():
            gv: R.Tensor((2, 2, 2, 2), dtype="float32") = R.permute_dims(x2)
            R.output(gv)
        if x:
            gv1: R.Tensor((2, 2, 2, 2), dtype="float32") = R.scatter_nd(gv, x1, R.const(1.0, "float32"), reduction="mul")
            gv2: R.Tensor((2, 2, 2, 2), dtype="float32") = gv1
        else:
            gv2: R.Tensor((2, 2, 2, 2), dtype="float32") = gv
        with R.dataflow():
            gv3: R.Tensor((2, 2, 2, 1), dtype="float32") = R.nn.attention_bias(gv, w, R.const([[[[2.032162], [-2.8491483]]], [[[-2.461612], [3.0469007]]]], "float32"), R.const([[[[2.032162], [-2.8491483]]], [[[-2.461612], [3.0469007]]]], "float32"), scale=1.0)
            R.output(gv3)
        return (w1, gv2, x3, x4, x5, gv3)
