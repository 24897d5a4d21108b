# A private function that is mentioned as a value stays although its calls are inlined; one that nothing uses goes.
# fault mentioned-removed: form.unknown-global


@I.ir_module
class Source:
    @R.function
    def main(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        cls = Source
        f = cls.twice
        y = f(x)
        z = cls.twice(y)
        return z

    @R.function(private=True)
    def twice(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        y = R.add(x, x)
        return y

    @R.function(private=True)
    def unused(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        return x


@I.ir_module
class Target:
    @R.function
    def main(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        cls = Target
        f = cls.twice
        y = f(x)
        z = R.add(y, y)
        return z

    @R.function(private=True)
    def twice(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        y = R.add(x, x)
        return y
