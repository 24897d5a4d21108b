# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1,), dtype="float32")) -> R.Tuple(R.Tensor((), dtype="int32")):
        with R.dataflow():
            lv: R.Tensor((1,), dtype="float32") = R.add(x, x)
            gv: R.Tensor((), dtype="int32") = R.matmul(x, lv, out_dtype="int32")
            gv1: R.Tuple(R.Tensor((), dtype="int32")) = (gv,)
            R.output(gv, gv1)
        return gv1
