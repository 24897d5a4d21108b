# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 1), dtype="float32")) -> R.Tensor((0, 0), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((0, 0), dtype="float32") = R.strided_slice(x, (-2, -1), (1, 1), (1, 1), (1, 1), assume_inbound=False)
            gv: R.Tensor((0, 0), dtype="float32") = R.permute_dims(lv)
            R.output(gv)
        return gv
