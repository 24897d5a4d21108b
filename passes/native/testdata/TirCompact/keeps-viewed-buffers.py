# A buffer that others are views of keeps its size and its place.
# unchanged


@I.ir_module
class Source:
    @T.prim_func(private=True, s_tir=True)
    def f(x: T.Buffer((8,), "float32"), y: T.Buffer((8,), "float32")):
        a = T.sblock_alloc_buffer((12,))
        b = T.sblock_alloc_buffer((12,))
        for i in range(8):
            with T.sblock("first"):
                vi = T.axis.spatial(8, i)
                T.reads(x[vi])
                T.writes(a[vi])
                view = T.match_buffer(a[vi:vi + 1], (1,), offset_factor=1)
                view[0] = x[vi]
        for i in range(8):
            with T.sblock("second"):
                vi = T.axis.spatial(8, i)
                T.reads(a[vi])
                T.writes(y[vi])
                y[vi] = a[vi]
        for i in range(12):
            with T.sblock("third"):
                vi = T.axis.spatial(12, i)
                T.reads()
                T.writes(b[vi])
                b[vi] = T.float32(0.0)

    @R.function
    def main(x: R.Tensor((8,), "float32")) -> R.Tensor((8,), "float32"):
        cls = Source
        y = R.call_tir(cls.f, (x,), out_ty=R.Tensor((8,), "float32"))
        return y
