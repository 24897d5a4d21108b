# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 1), dtype="uint8")) -> R.Tensor((2, 1), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((1, 1), dtype="uint8") = R.add(x, x)
            lv1: R.Tensor((2, 1), dtype="float32") = R.matmul(R.const([[0], [0]], "uint8"), lv, out_dtype="float32")
            R.output(lv1)
        return lv1
