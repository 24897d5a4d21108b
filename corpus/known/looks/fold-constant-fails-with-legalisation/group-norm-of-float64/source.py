# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 1), dtype="float64")) -> R.Tensor((1, 1), dtype="float64"):
        with R.dataflow():
            gv: R.Tensor((1, 1), dtype="float64") = R.nn.group_norm(x, R.const([0.0], "float64"), R.const([0.0], "float64"), num_groups=1, channel_axis=1, axes=[0], epsilon=1e-05, center=True, scale=True)
            R.output(gv)
        return gv
