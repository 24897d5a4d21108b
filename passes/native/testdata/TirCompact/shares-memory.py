# A buffer takes the place of one that is no longer read, and of no other.
# fault reused-while-live


@I.ir_module
class Source:
    @T.prim_func(private=True, s_tir=True)
    def f(x: T.Buffer((8,), "float32"), y: T.Buffer((8,), "float32")):
        a = T.sblock_alloc_buffer((8,))
        b = T.sblock_alloc_buffer((8,))
        c = T.sblock_alloc_buffer((8,))
        for i in range(8):
            with T.sblock("step0"):
                vi = T.axis.spatial(8, i)
                T.reads(x[0:8])
                T.writes(a[vi])
                a[vi] = x[vi] * T.float32(2.0)
        for i in range(8):
            with T.sblock("step1"):
                vi = T.axis.spatial(8, i)
                T.reads(a[0:8])
                T.writes(b[vi])
                b[vi] = a[7 - vi]
        for i in range(8):
            with T.sblock("step2"):
                vi = T.axis.spatial(8, i)
                T.reads(b[0:8])
                T.writes(c[vi])
                c[vi] = b[vi] * T.float32(2.0)
        for i in range(8):
            with T.sblock("step3"):
                vi = T.axis.spatial(8, i)
                T.reads(c[0:8])
                T.writes(y[vi])
                y[vi] = c[vi] + T.float32(1.0)

    @R.function
    def main(x: R.Tensor((8,), "float32")) -> R.Tensor((8,), "float32"):
        cls = Source
        y = R.call_tir(cls.f, (x,), out_ty=R.Tensor((8,), "float32"))
        return y


@I.ir_module
class Target:
    @T.prim_func(private=True, s_tir=True)
    def f(x: T.Buffer((8,), "float32"), y: T.Buffer((8,), "float32")):
        a = T.sblock_alloc_buffer((8,))
        b = T.sblock_alloc_buffer((8,))
        for i in range(8):
            with T.sblock("step0"):
                vi = T.axis.spatial(8, i)
                T.reads(x[0:8])
                T.writes(a[vi])
                a[vi] = x[vi] * T.float32(2.0)
        for i in range(8):
            with T.sblock("step1"):
                vi = T.axis.spatial(8, i)
                T.reads(a[0:8])
                T.writes(b[vi])
                b[vi] = a[7 - vi]
        for i in range(8):
            with T.sblock("step2"):
                vi = T.axis.spatial(8, i)
                T.reads(b[0:8])
                T.writes(a[vi])
                a[vi] = b[vi] * T.float32(2.0)
        for i in range(8):
            with T.sblock("step3"):
                vi = T.axis.spatial(8, i)
                T.reads(a[0:8])
                T.writes(y[vi])
                y[vi] = a[vi] + T.float32(1.0)

    @R.function
    def main(x: R.Tensor((8,), "float32")) -> R.Tensor((8,), "float32"):
        cls = Target
        y = R.call_tir(cls.f, (x,), out_ty=R.Tensor((8,), "float32"))
        return y
