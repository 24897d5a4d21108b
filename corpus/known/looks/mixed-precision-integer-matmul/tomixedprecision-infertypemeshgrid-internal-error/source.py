# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((3, 2), dtype="float32"), x1: R.Tensor((2,), dtype="float32"), x2: R.Tensor((2,), dtype="float64")) -> R.Tuple(R.Tensor((3, 3, 2), dtype="float64"), R.Tensor((3, 3, 2), dtype="float64"), R.Tensor((3, 3, 2), dtype="float64")):
        with R.dataflow():
            lv: R.Tensor((3,), dtype="float64") = R.matmul(x, x1, out_dtype="float64")
            gv: R.Tuple(R.Tensor((3, 3, 2), dtype="float64"), R.Tensor((3, 3, 2), dtype="float64"), R.Tensor((3, 3, 2), dtype="float64")) = R.meshgrid((lv, lv, x2), indexing="ij")
            R.output(gv)
        return gv
