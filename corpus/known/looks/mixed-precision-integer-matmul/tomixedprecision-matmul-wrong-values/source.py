# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(w: R.Tensor((2, 1), dtype="float64"), w2: R.Tensor((1, 2), dtype="float64")) -> R.Tensor((2, 2), dtype="float64"):
        with R.dataflow():
            lv3: R.Tensor((2, 2), dtype="float64") = R.matmul(w, w2)
            R.output(lv3)
        return lv3
