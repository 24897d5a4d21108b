# What was computed inside a branch is not at hand after it.
# unchanged
# fault branch-leak: form.undefined-var


@I.ir_module
class Source:
    @R.function
    def main(x: R.Tensor((2,), "float32"), c: R.Tensor((), "bool")) -> R.Tensor((2,), "float32"):
        if c:
            a = R.exp(x)
            y = R.add(a, a)
        else:
            y = R.negative(x)
        b = R.exp(x)
        z = R.add(y, b)
        return z
