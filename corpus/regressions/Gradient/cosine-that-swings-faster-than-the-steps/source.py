# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 2), dtype="float32"), x1: R.Tensor((2,), dtype="float32")) -> R.Tensor((), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((2,), dtype="float32") = R.matmul(x, x1)
            lv1: R.Tensor((2,), dtype="float32") = R.cos(lv)
            lv2: R.Tuple(R.Tensor((1,), dtype="float32"), R.Tensor((1,), dtype="float32"), R.Tensor((0,), dtype="float32")) = R.split(lv1, indices_or_sections=3, axis=0)
            lv3: R.Tensor((1,), dtype="float32") = lv2[0]
            gv: R.Tensor((), dtype="float32") = R.mean(lv3, keepdims=False)
            R.output(gv)
        return gv
