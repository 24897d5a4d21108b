# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((), dtype="float32")) -> R.Tensor((), dtype="float32"):
        return x

    @R.function
    def f() -> R.Tensor((1,), dtype="int32"):
        with R.dataflow():
            gv: R.Tensor((1,), dtype="int32") = R.floor_divide(R.const([0], "int32"), R.const([0], "int32"))
            R.output(gv)
        return gv
