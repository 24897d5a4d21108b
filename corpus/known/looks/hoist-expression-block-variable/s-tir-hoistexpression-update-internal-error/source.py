# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(w1: R.Tensor((1,), dtype="uint32")) -> R.Tensor((), dtype="int64"):
        lv3: R.Tensor((), dtype="int64") = R.size(w1)
        return lv3
