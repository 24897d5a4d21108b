from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 2), dtype="float16"), a: R.Tensor((2, 2), dtype="float16"), b: R.Tensor((2, 2), dtype="float16")) -> R.Tensor((2, 2), dtype="float32"):
        with R.dataflow():
            c = R.add(a, b)
            d = R.matmul(x, c, out_dtype="float32")
            R.output(d)
        return d
