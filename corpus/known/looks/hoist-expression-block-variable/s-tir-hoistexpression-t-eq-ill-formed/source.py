# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(lv7: R.Tensor((1,), dtype="bool")) -> R.Tensor((2,), dtype="bool"):
        lv8: R.Tensor((2,), dtype="bool") = R.concat((lv7, lv7), axis=0)
        return lv8
