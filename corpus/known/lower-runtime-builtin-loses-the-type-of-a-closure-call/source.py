from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((), dtype="float32")) -> R.Tensor((), dtype="float32"):
        @R.function
        def captures() -> R.Tensor((), dtype="float32"):
            return x

        lv: R.Tensor((), dtype="float32") = captures()

        @R.function
        def same(y: R.Tensor((), dtype="float32")) -> R.Tensor((), dtype="float32"):
            return y

        gv: R.Tensor((), dtype="float32") = same(lv)
        return gv
