# A condition that the inner loop does not change chooses between two loops.
# fault else-dropped


@I.ir_module
class Source:
    @T.prim_func(private=True)
    def f(x: T.Buffer((4, 3), "float32"), y: T.Buffer((4, 3), "float32")):
        for i, j in T.grid(4, 3):
            if i < 2:
                y[i, j] = x[i, j]
            else:
                y[i, j] = x[i, j] * T.float32(2.0)

    @R.function
    def main(x: R.Tensor((4, 3), "float32")) -> R.Tensor((4, 3), "float32"):
        cls = Source
        y = R.call_tir(cls.f, (x,), out_ty=R.Tensor((4, 3), "float32"))
        return y


@I.ir_module
class Target:
    @T.prim_func(private=True)
    def f(x: T.Buffer((4, 3), "float32"), y: T.Buffer((4, 3), "float32")):
        for i in range(4):
            if i < 2:
                for j in range(3):
                    y[i, j] = x[i, j]
            else:
                for j in range(3):
                    y[i, j] = x[i, j] * T.float32(2.0)

    @R.function
    def main(x: R.Tensor((4, 3), "float32")) -> R.Tensor((4, 3), "float32"):
        cls = Target
        y = R.call_tir(cls.f, (x,), out_ty=R.Tensor((4, 3), "float32"))
        return y
