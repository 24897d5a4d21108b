# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((), dtype="float32")) -> R.Tensor((), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((1, 0), dtype="int32") = R.broadcast_to(R.const([], "int32"), R.shape([1, 0]))
            R.output()
        return x
