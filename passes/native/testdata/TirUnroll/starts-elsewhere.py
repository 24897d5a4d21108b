# The copies count from where the loop starts.
# fault last-dropped
# fault starts-at-zero


@I.ir_module
class Source:
    @T.prim_func(private=True)
    def f(x: T.Buffer((8,), "float32"), y: T.Buffer((8,), "float32")):
        for i in T.unroll(2, 10):
            y[i - 2] = x[9 - i]

    @R.function
    def main(x: R.Tensor((8,), "float32")) -> R.Tensor((8,), "float32"):
        cls = Source
        y = R.call_tir(cls.f, (x,), out_ty=R.Tensor((8,), "float32"))
        return y


@I.ir_module
class Target:
    @T.prim_func(private=True)
    def f(x: T.Buffer((8,), "float32"), y: T.Buffer((8,), "float32")):
        y[2 - 2] = x[9 - 2]
        y[3 - 2] = x[9 - 3]
        y[4 - 2] = x[9 - 4]
        y[5 - 2] = x[9 - 5]
        y[6 - 2] = x[9 - 6]
        y[7 - 2] = x[9 - 7]
        y[8 - 2] = x[9 - 8]
        y[9 - 2] = x[9 - 9]

    @R.function
    def main(x: R.Tensor((8,), "float32")) -> R.Tensor((8,), "float32"):
        cls = Target
        y = R.call_tir(cls.f, (x,), out_ty=R.Tensor((8,), "float32"))
        return y
