# Conditions that hold for all values, or for none, decide branches; a branch that is not there becomes a statement that does nothing.
# fault less-than-itself


@I.ir_module
class Source:
    @T.prim_func(private=True)
    def f(x: T.Buffer((8,), "float32"), y: T.Buffer((8,), "float32")):
        for i in range(8):
            if i < i:
                y[i] = x[i]
            else:
                y[i] = T.if_then_else(T.LT(2, 1), x[i + 8], T.Select(i == i, x[i], x[0]) * x[i])
            if i < i:
                y[i] = x[0]

    @R.function
    def main(x: R.Tensor((8,), "float32")) -> R.Tensor((8,), "float32"):
        cls = Source
        y = R.call_tir(cls.f, (x,), out_ty=R.Tensor((8,), "float32"))
        return y


@I.ir_module
class Target:
    @T.prim_func(private=True)
    def f(x: T.Buffer((8,), "float32"), y: T.Buffer((8,), "float32")):
        for i in range(8):
            y[i] = x[i] * x[i]
            T.evaluate(0)

    @R.function
    def main(x: R.Tensor((8,), "float32")) -> R.Tensor((8,), "float32"):
        cls = Target
        y = R.call_tir(cls.f, (x,), out_ty=R.Tensor((8,), "float32"))
        return y
