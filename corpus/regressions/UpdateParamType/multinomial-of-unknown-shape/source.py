# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 1), dtype="float32")) -> R.Tensor((1, 1), dtype="float32"):
        gv: R.Tensor((1, 1), dtype="float32") = R.multinomial_from_uniform(x, x, R.const([[0]], "int8"), dtype="float32")
        return gv
