# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 1), dtype="float32"), x1: R.Tensor((1,), dtype="float32")) -> R.Tuple(R.Tensor((1, 1), dtype="int32"), R.Tensor((0, 0), dtype="int32")):
        cls = Module
        with R.dataflow():
            lv: R.Tensor((1, 1), dtype="float32") = R.add(x, x1)
            lv1: R.Tensor((1, 1), dtype="int32") = R.matmul(x, lv, out_dtype="int32")
            lv2: R.Tensor((0, 0), dtype="int32") = R.strided_slice(lv1, (1, -2), (1, 0), (1, 0), (1, 1), assume_inbound=False)
            gv: R.Tensor((0, 0), dtype="int32") = cls.f(lv2)
            lv3: R.Tuple(R.Tensor((1, 1), dtype="int32")) = (lv1,)
            gv1: R.Tensor((1, 1), dtype="int32") = lv3[0]
            R.output(gv, gv1)
        return (gv1, gv)

    @R.function
    def f(x: R.Tensor((0, 0), dtype="int32")) -> R.Tensor((0, 0), dtype="int32"):
        return x
