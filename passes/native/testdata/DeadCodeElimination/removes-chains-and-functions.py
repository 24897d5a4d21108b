# Unused bindings go, with those that only they used, and private functions that nothing calls any more.


@I.ir_module
class Source:
    @R.function
    def main(x: R.Tensor((2,), "float32"), c: R.Tensor((), "bool")) -> R.Tensor((2,), "float32"):
        cls = Source
        with R.dataflow():
            a = R.add(x, x)
            b = R.multiply(a, a)
            y = R.exp(x)
            R.output(b, y)
        d = cls.outer(b)
        return y

    @R.function(private=True)
    def inner(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        y = R.exp(x)
        return y

    @R.function(private=True)
    def outer(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        cls = Source
        y = cls.inner(x)
        return y


@I.ir_module
class Target:
    @R.function
    def main(x: R.Tensor((2,), "float32"), c: R.Tensor((), "bool")) -> R.Tensor((2,), "float32"):
        with R.dataflow():
            y = R.exp(x)
            R.output(y)
        return y
