# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((), dtype="float32"), x2: R.Tensor((1, 1), dtype="float32"), w: R.Tensor((), dtype="float32")) -> R.Tuple(R.Tensor((), dtype="float32"), R.Tensor((1, 1), dtype="float32")):
        with R.dataflow():
            lv: R.Tensor((1, 1), dtype="float32") = x2
            lv1: R.Tensor((1, 1), dtype="float32") = R.permute_dims(lv)
            lv2: R.Tensor((1, 1), dtype="float32") = R.permute_dims(lv1)
            lv3: R.Tensor((1, 1), dtype="float32") = R.permute_dims(lv2)
            gv: R.Tensor((1, 1), dtype="float32") = R.permute_dims(lv3)
            R.output(gv)
        return (x, gv)
