# A multiple plus an offset, divided: the offset counts where it is no remainder.
# fault quotient-ignores-offset


@I.ir_module
class Source:
    @T.prim_func(private=True)
    def f(x: T.Buffer((16,), "float32"), y: T.Buffer((8,), "float32")):
        for i in range(8):
            y[i] = x[(i * 4 + 5) // 4] + x[(i * 4 + 3) // 4] + x[(i * 4 - 3 + 4) // 4]

    @R.function
    def main(x: R.Tensor((16,), "float32")) -> R.Tensor((8,), "float32"):
        cls = Source
        y = R.call_tir(cls.f, (x,), out_ty=R.Tensor((8,), "float32"))
        return y


@I.ir_module
class Target:
    @T.prim_func(private=True)
    def f(x: T.Buffer((16,), "float32"), y: T.Buffer((8,), "float32")):
        for i in range(8):
            y[i] = x[i + 1] + x[i] + x[(i * 4 - 3 + 4) // 4]

    @R.function
    def main(x: R.Tensor((16,), "float32")) -> R.Tensor((8,), "float32"):
        cls = Target
        y = R.call_tir(cls.f, (x,), out_ty=R.Tensor((8,), "float32"))
        return y
