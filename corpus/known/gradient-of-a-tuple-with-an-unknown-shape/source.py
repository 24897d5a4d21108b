from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((), dtype="float32"), y: R.Tensor((2,), dtype="float32")) -> R.Tensor((), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor(dtype="float32", ndim=1) = R.dynamic_strided_slice(y, R.const([0], "int64"), R.const([1], "int64"), R.const([1], "int64"))
            lv1 = (lv, x)
            gv = lv1[1]
            R.output(gv)
        return gv
