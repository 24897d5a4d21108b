from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 4), "float32"), w: R.Tensor((4, 4), "float32")) -> R.Tensor((4, 4), "float32"):
        R.func_attr({"num_input": 1})
        cls = Module
        with R.dataflow():
            params = (w,)
            transformed = cls.prepare(params)
            wt = transformed[0]
            out = cls.apply(x, wt)
            R.output(out)
        return out

    @R.function(private=True)
    def prepare(params: R.Tuple(R.Tensor((4, 4), "float32"))) -> R.Tuple(R.Tensor((4, 4), "float32")):
        with R.dataflow():
            w = params[0]
            wt = R.permute_dims(w, axes=[1, 0])
            out = (wt,)
            R.output(out)
        return out

    @R.function(private=True)
    def apply(x: R.Tensor((4, 4), "float32"), wt: R.Tensor((4, 4), "float32")) -> R.Tensor((4, 4), "float32"):
        with R.dataflow():
            out = R.matmul(x, wt)
            R.output(out)
        return out
