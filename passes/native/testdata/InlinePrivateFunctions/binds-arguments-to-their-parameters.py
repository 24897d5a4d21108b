# Arguments of one type are not mixed up, and neither are the dims that they define.
# fault arguments-reversed
# fault first-dim-for-all: form.wrong-type


@I.ir_module
class Source:
    @R.function
    def main(x: R.Tensor((2, 3), "float32"), y: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float32"):
        cls = Source
        a = cls.less(x, y)
        return a

    @R.function(private=True)
    def less(
        x: R.Tensor(("n", "m"), "float32"),
        y: R.Tensor(("n", "m"), "float32"),
    ) -> R.Tensor(("n", "m"), "float32"):
        n = T.int64()
        m = T.int64()
        z = R.subtract(x, y)
        return z


@I.ir_module
class Target:
    @R.function
    def main(x: R.Tensor((2, 3), "float32"), y: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float32"):
        a = R.subtract(x, y)
        return a


@I.ir_module
class ArgumentsReversed:
    @R.function
    def main(x: R.Tensor((2, 3), "float32"), y: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float32"):
        a = R.subtract(y, x)
        return a
