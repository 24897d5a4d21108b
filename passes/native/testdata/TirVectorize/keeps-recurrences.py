# A serial loop, in which each iteration needs the one before, stays; a vectorised block that starts a reduction does, too.
# fault serial-too
# unchanged


@I.ir_module
class Source:
    @T.prim_func(private=True, s_tir=True)
    def f(x: T.Buffer((8,), "float32"), y: T.Buffer((8,), "float32")):
        for i in range(8):
            y[i] = x[i]
        for i in range(1, 8):
            y[i] = y[i] + y[i - 1]
        for k in range(2):
            for i in T.vectorized(8):
                with T.sblock("sum"):
                    vi = T.axis.spatial(8, i)
                    vk = T.axis.reduce(2, k)
                    T.reads(y[vi])
                    T.writes(y[vi])
                    with T.init():
                        y[vi] = y[vi] * T.float32(2.0)
                    y[vi] = y[vi] + T.Cast("float32", vk)

    @R.function
    def main(x: R.Tensor((8,), "float32")) -> R.Tensor((8,), "float32"):
        cls = Source
        y = R.call_tir(cls.f, (x,), out_ty=R.Tensor((8,), "float32"))
        return y
