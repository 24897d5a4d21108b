# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1,), dtype="float32")) -> R.Tensor((1,), dtype="float32"):
        with R.dataflow():
            y: R.Tensor((1,), dtype="float32") = R.exp(x)
            z: R.Tensor((1,), dtype="float32") = R.exp(y)
            @R.function
            def inner() -> R.Tensor((1,), dtype="float32"):
                v: R.Tensor((1,), dtype="float32") = R.exp(z)
                return x
            w: R.Tensor((1,), dtype="float32") = inner()
            R.output(z, w)
        return w
