# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1,), dtype="float32"), x1: R.Tensor((1, 1), dtype="int32"), x2: R.Tensor((), dtype="float32")) -> R.Tuple(R.Tensor((), dtype="float32"), R.Tensor((), dtype="float32")):
        with R.dataflow():
            lv: R.Tensor((1, 1), dtype="float32") = R.take(x, x1, mode="fast")
            gv: R.Tensor((), dtype="float32") = R.mean(lv, keepdims=False)
            R.output(gv)
        return (x2, gv)
