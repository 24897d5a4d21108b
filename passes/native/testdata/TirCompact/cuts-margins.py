# Elements before and after those in use are cut off, in declared regions, too.
# fault shrunk-by-one
# fault load-not-shifted


@I.ir_module
class Source:
    @T.prim_func(private=True, s_tir=True)
    def f(x: T.Buffer((8,), "float32"), y: T.Buffer((8,), "float32")):
        stage = T.sblock_alloc_buffer((12,))
        for i in range(8):
            with T.sblock("first"):
                vi = T.axis.spatial(8, i)
                T.reads(x[vi])
                T.writes(stage[vi + 2])
                stage[vi + 2] = x[vi] * T.float32(2.0)
        for i in range(8):
            with T.sblock("second"):
                vi = T.axis.spatial(8, i)
                T.reads(stage[0:12])
                T.writes(y[vi])
                y[vi] = stage[9 - vi]

    @R.function
    def main(x: R.Tensor((8,), "float32")) -> R.Tensor((8,), "float32"):
        cls = Source
        y = R.call_tir(cls.f, (x,), out_ty=R.Tensor((8,), "float32"))
        return y


@I.ir_module
class Target:
    @T.prim_func(private=True, s_tir=True)
    def f(x: T.Buffer((8,), "float32"), y: T.Buffer((8,), "float32")):
        stage = T.sblock_alloc_buffer((8,))
        for i in range(8):
            with T.sblock("first"):
                vi = T.axis.spatial(8, i)
                T.reads(x[vi])
                T.writes(stage[vi + 2 - 2])
                stage[vi] = x[vi] * T.float32(2.0)
        for i in range(8):
            with T.sblock("second"):
                vi = T.axis.spatial(8, i)
                T.reads(stage[0:8])
                T.writes(y[vi])
                y[vi] = stage[9 - vi - 2]

    @R.function
    def main(x: R.Tensor((8,), "float32")) -> R.Tensor((8,), "float32"):
        cls = Target
        y = R.call_tir(cls.f, (x,), out_ty=R.Tensor((8,), "float32"))
        return y
