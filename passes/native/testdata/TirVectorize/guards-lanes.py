# A guard that differs by lane leaves a serial loop; one that does not stays around the vector.
# fault guard-dropped


@I.ir_module
class Source:
    @T.prim_func(private=True)
    def f(x: T.Buffer((8,), "float32"), y: T.Buffer((8,), "float32")):
        for i in T.parallel(2):
            for j in T.vectorized(4):
                y[i * 4 + j] = x[i * 4 + j]
                if j < 3:
                    y[i * 4 + j] = T.float32(7.0)
                if i < 1:
                    y[i * 4 + j] = y[i * 4 + j] + T.float32(1.0)

    @R.function
    def main(x: R.Tensor((8,), "float32")) -> R.Tensor((8,), "float32"):
        cls = Source
        y = R.call_tir(cls.f, (x,), out_ty=R.Tensor((8,), "float32"))
        return y


@I.ir_module
class Target:
    @T.prim_func(private=True)
    def f(x: T.Buffer((8,), "float32"), y: T.Buffer((8,), "float32")):
        for i in T.parallel(2):
            y[T.Ramp(i * 4 + 0, 1, 4)] = x[T.Ramp(i * 4 + 0, 1, 4)]
            for j in range(4):
                if j < 3:
                    y[i * 4 + j] = T.float32(7.0)
            if i < 1:
                y[T.Ramp(i * 4 + 0, 1, 4)] = y[T.Ramp(i * 4 + 0, 1, 4)] + T.Broadcast(T.float32(1.0), 4)

    @R.function
    def main(x: R.Tensor((8,), "float32")) -> R.Tensor((8,), "float32"):
        cls = Target
        y = R.call_tir(cls.f, (x,), out_ty=R.Tensor((8,), "float32"))
        return y
