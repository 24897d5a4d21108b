# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((), dtype="float32"), w1: R.Tensor((1,), dtype="float32"), w2: R.Tensor((1, 1, 1), dtype="float32")) -> R.Tensor((1, 1), dtype="float32"):
        with R.dataflow():
            lv1: R.Tensor((1, 1, 1), dtype="float32") = R.add(x, w2)
            lv2: R.Tensor((1, 1), dtype="float32") = R.matmul(w1, lv1)
            R.output(lv2)
        return lv2
