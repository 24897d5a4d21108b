# A block inside becomes what it does, under its predicate.


@I.ir_module
class Source:
    @T.prim_func(private=True, s_tir=True)
    def f(x: T.Buffer((8,), "float32"), y: T.Buffer((8,), "float32")):
        for i in range(3):
            for j in T.vectorized(3):
                with T.sblock("b"):
                    vi = T.axis.spatial(8, i + j * 3)
                    T.where(i + j * 3 < 8)
                    T.reads(x[vi])
                    T.writes(y[vi])
                    y[vi] = x[vi]
        for i in range(2):
            for j in T.vectorized(4):
                with T.sblock("c"):
                    vi = T.axis.spatial(8, i * 4 + j)
                    T.reads(y[vi])
                    T.writes(y[vi])
                    y[vi] = T.Select(vi < 5, y[vi], T.float32(0.0)) - T.Cast("float32", vi)

    @R.function
    def main(x: R.Tensor((8,), "float32")) -> R.Tensor((8,), "float32"):
        cls = Source
        y = R.call_tir(cls.f, (x,), out_ty=R.Tensor((8,), "float32"))
        return y


@I.ir_module
class Target:
    @T.prim_func(private=True, s_tir=True)
    def f(x: T.Buffer((8,), "float32"), y: T.Buffer((8,), "float32")):
        with T.sblock("root"):
            T.reads()
            T.writes()
            for i in range(3):
                for j in range(3):
                    if i + j * 3 < 8:
                        y[i + j * 3] = x[i + j * 3]
            for i in range(2):
                y[T.Ramp(i * 4 + 0, 1, 4)] = T.Select(T.Ramp(i * 4 + 0, 1, 4) < T.Broadcast(5, 4), y[T.Ramp(i * 4 + 0, 1, 4)], T.Broadcast(T.float32(0.0), 4)) - T.Cast("float32x4", T.Ramp(i * 4 + 0, 1, 4))

    @R.function
    def main(x: R.Tensor((8,), "float32")) -> R.Tensor((8,), "float32"):
        cls = Target
        y = R.call_tir(cls.f, (x,), out_ty=R.Tensor((8,), "float32"))
        return y
