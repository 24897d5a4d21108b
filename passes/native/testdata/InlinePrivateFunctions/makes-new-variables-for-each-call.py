# Two calls of one function get variables of their own.
# fault variables-shared: form.redefined-var


@I.ir_module
class Source:
    @R.function
    def main(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        cls = Source
        a = cls.f(x)
        b = cls.f(a)
        return b

    @R.function(private=True)
    def f(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        y = R.exp(x)
        z = R.add(x, y)
        return z


@I.ir_module
class Target:
    @R.function
    def main(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        y = R.exp(x)
        a = R.add(x, y)
        y_1 = R.exp(a)
        b = R.add(a, y_1)
        return b
