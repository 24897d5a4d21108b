from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), dtype="float16"), w: R.Tensor((3, 4), dtype="float16"), i: R.Tensor((2,), dtype="int64")) -> R.Tensor((2, 2), dtype="float32"):
        with R.dataflow():
            a = R.take(w, i, axis=1)
            b = R.matmul(x, a, out_dtype="float32")
            R.output(b)
        return b
