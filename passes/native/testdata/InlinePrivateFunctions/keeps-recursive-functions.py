# Private functions that call each other stay.
# unchanged
# fault recursive-removed: form.unknown-global


@I.ir_module
class Source:
    @R.function
    def main(x: R.Tensor((2,), "float32"), c: R.Tensor((), "bool")) -> R.Tensor((2,), "float32"):
        cls = Source
        y = cls.even(x, c)
        return y

    @R.function(private=True)
    def even(x: R.Tensor((2,), "float32"), c: R.Tensor((), "bool")) -> R.Tensor((2,), "float32"):
        cls = Source
        y = cls.odd(x, c)
        return y

    @R.function(private=True)
    def odd(x: R.Tensor((2,), "float32"), c: R.Tensor((), "bool")) -> R.Tensor((2,), "float32"):
        cls = Source
        if c:
            y = cls.even(x, R.const(False, "bool"))
            z = y
        else:
            z = x
        return z
