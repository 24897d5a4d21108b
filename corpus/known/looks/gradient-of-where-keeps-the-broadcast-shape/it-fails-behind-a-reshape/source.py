# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((), dtype="float32"), x1: R.Tensor((2,), dtype="float32"), x2: R.Tensor((), dtype="bool")) -> R.Tensor((), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((), dtype="float32") = R.reshape(x, R.shape([]))
            lv1: R.Tensor((1,), dtype="float32") = R.expand_dims(lv, axis=[0])
            lv2: R.Tensor((2,), dtype="float32") = R.where(x2, x1, lv1)
            gv: R.Tensor((), dtype="float32") = R.mean(lv2, keepdims=False)
            R.output(gv)
        return gv
