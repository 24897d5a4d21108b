# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((), dtype="float32"), x1: R.Tensor((2,), dtype="float32")) -> R.Tensor((2,), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((2,), dtype="float32") = R.multiply(x, x1)
            gv: R.Tensor((2,), dtype="float32") = R.matmul(R.const([[0.0, 0.0], [0.0, 0.0]], "float32"), lv)
            R.output(gv)
        return gv
