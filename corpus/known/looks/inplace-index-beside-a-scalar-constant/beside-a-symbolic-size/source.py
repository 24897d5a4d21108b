# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, "n"), dtype="float32")) -> R.Tensor(("n + 1", 1), dtype="float32"):
        n = T.int64()
        with R.dataflow():
            lv: R.Tensor((1, n + 1), dtype="float32") = R.nn.pad(x, pad_width=[0, 0, 1, 0], pad_mode="constant", pad_value=0.0)
            lv1: R.Tensor((n + 1, 1), dtype="float32") = R.permute_dims(lv)
            gv: R.Tensor((n + 1, 1), dtype="float32") = R.subtract(R.const(0.0, "float32"), lv1)
            R.output(gv)
        return gv
