# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1,), dtype="int32"), x1: R.Tensor((1, 2), dtype="float32")) -> R.Tuple(R.Tensor((), dtype="int64"), R.Tensor((1, 2), dtype="float32")):
        with R.dataflow():
            lv: R.Tensor((1, 2), dtype="float32") = R.grad.take_backward(x1, x1, x, axis=0)
            gv: R.Tensor((), dtype="int64") = R.argmin(lv, keepdims=False)
            gv1: R.Tensor((1, 2), dtype="float32") = R.multiply(lv, lv)
            R.output(gv, gv1)
        return (gv, gv1)
