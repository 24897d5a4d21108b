# A variable that only a branch uses stays, and so does a private function that only another private one calls.
# unchanged
# fault branch-uses-missed: form.undefined-var
# fault callee-of-callee-removed: form.unknown-global


@I.ir_module
class Source:
    @R.function
    def main(x: R.Tensor((2,), "float32"), c: R.Tensor((), "bool")) -> R.Tensor((2,), "float32"):
        cls = Source
        a = R.add(x, x)
        if c:
            b = R.exp(a)
            y = b
        else:
            b_1 = R.exp(x)
            y = b_1
        d = cls.outer(y)
        return d

    @R.function(private=True)
    def inner(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        y = R.exp(x)
        return y

    @R.function(private=True)
    def outer(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        cls = Source
        y = cls.inner(x)
        return y
