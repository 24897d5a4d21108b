# Divisions by zero, sums that int32 does not hold and loops of one iteration stay.
# unchanged


@I.ir_module
class Source:
    @T.prim_func(private=True)
    def f(x: T.Buffer((8,), "float32"), y: T.Buffer((8,), "float32")):
        for i, j in T.grid(8, 1):
            y[i] = T.if_then_else(i < 8, x[i], x[T.FloorDiv(1, 0)] + x[T.Add(2147483647, 1)])

    @R.function
    def main(x: R.Tensor((8,), "float32")) -> R.Tensor((8,), "float32"):
        cls = Source
        y = R.call_tir(cls.f, (x,), out_ty=R.Tensor((8,), "float32"))
        return y
