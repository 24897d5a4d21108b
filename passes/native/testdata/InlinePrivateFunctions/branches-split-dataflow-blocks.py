# A callee with a branch splits the dataflow block that it is inlined into.


@I.ir_module
class Source:
    @R.function
    def main(x: R.Tensor((2,), "float32"), c: R.Tensor((), "bool")) -> R.Tensor((2,), "float32"):
        cls = Source
        with R.dataflow():
            a = R.exp(x)
            b = cls.pick(a, c)
            d = R.add(a, b)
            R.output(d)
        return d

    @R.function(private=True)
    def pick(x: R.Tensor((2,), "float32"), c: R.Tensor((), "bool")) -> R.Tensor((2,), "float32"):
        if c:
            y = R.negative(x)
            z = y
        else:
            y_1 = R.abs(x)
            z = y_1
        return z


@I.ir_module
class Target:
    @R.function
    def main(x: R.Tensor((2,), "float32"), c: R.Tensor((), "bool")) -> R.Tensor((2,), "float32"):
        with R.dataflow():
            a = R.exp(x)
            R.output(a)
        if c:
            y = R.negative(a)
            b = y
        else:
            y_1 = R.abs(a)
            b = y_1
        with R.dataflow():
            d = R.add(a, b)
            R.output(d)
        return d
