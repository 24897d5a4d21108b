# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1,), dtype="float32")) -> R.Tuple(R.Tensor((1,), dtype="float32"), R.Tensor((1,), dtype="float32")):
        with R.dataflow():
            lv: R.Tensor((1,), dtype="float32") = R.nn.layer_norm(x, x, x, axes=[0], epsilon=1e-05, center=True, scale=True)
            lv1: R.Tensor((1,), dtype="float32") = R.log_add_exp(x, lv)
            lv2: R.Tensor((1,), dtype="float32") = R.match_cast(lv, R.Tensor((1,), dtype="float32"))
            gv: R.Tuple(R.Tensor((1,), dtype="float32"), R.Tensor((1,), dtype="float32")) = R.nn.dropout(lv1, rate=0.5)
            R.output(gv)
        return gv
