# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(w1: R.Tensor(("n", 2), dtype="int32")) -> R.Tensor(("n * 2",), dtype="int32"):
        n = T.int64()
        with R.dataflow():
            lv7: R.Tensor((n * 2,), dtype="int32") = R.flatten(w1)
            R.output(lv7)
        return lv7
