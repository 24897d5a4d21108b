# An index that is a multiple of the variable becomes a ramp with that stride.
# fault ramp-lost
# fault stride-lost


@I.ir_module
class Source:
    @T.prim_func(private=True)
    def f(x: T.Buffer((17,), "float32"), y: T.Buffer((8,), "float32")):
        for i in T.vectorized(8):
            y[i] = x[i * 2 + 1] * T.float32(2.0)

    @R.function
    def main(x: R.Tensor((17,), "float32")) -> R.Tensor((8,), "float32"):
        cls = Source
        y = R.call_tir(cls.f, (x,), out_ty=R.Tensor((8,), "float32"))
        return y


@I.ir_module
class Target:
    @T.prim_func(private=True)
    def f(x: T.Buffer((17,), "float32"), y: T.Buffer((8,), "float32")):
        y[T.Ramp(0, 1, 8)] = x[T.Ramp(T.Mul(0, 2) + 1, T.Mul(1, 2), 8)] * T.Broadcast(T.float32(2.0), 8)

    @R.function
    def main(x: R.Tensor((17,), "float32")) -> R.Tensor((8,), "float32"):
        cls = Target
        y = R.call_tir(cls.f, (x,), out_ty=R.Tensor((8,), "float32"))
        return y
