# Each copy of a block has variables of its own; its reduction starts where it did.


@I.ir_module
class Source:
    @T.prim_func(private=True, s_tir=True)
    def f(x: T.Buffer((8, 2), "float32"), y: T.Buffer((8,), "float32")):
        for i in range(8):
            for k in range(2):
                with T.sblock("sum"):
                    vi, vk = T.axis.remap("SR", [i, k])
                    T.reads(x[vi, vk])
                    T.writes(y[vi])
                    with T.init():
                        y[vi] = T.float32(0.0)
                    y[vi] = y[vi] + x[vi, vk]

    @R.function
    def main(x: R.Tensor((8, 2), "float32")) -> R.Tensor((8,), "float32"):
        cls = Source
        y = R.call_tir(cls.f, (x,), out_ty=R.Tensor((8,), "float32"))
        return y


@I.ir_module
class Target:
    @T.prim_func(private=True, s_tir=True)
    def f(x: T.Buffer((8, 2), "float32"), y: T.Buffer((8,), "float32")):
        for i in range(8):
            with T.sblock("sum"):
                vi = T.axis.spatial(8, i)
                vk = T.axis.reduce(2, 0)
                T.reads(x[vi, vk])
                T.writes(y[vi])
                with T.init():
                    y[vi] = T.float32(0.0)
                y[vi] = y[vi] + x[vi, vk]
            with T.sblock("sum"):
                vi = T.axis.spatial(8, i)
                vk = T.axis.reduce(2, 1)
                T.reads(x[vi, vk])
                T.writes(y[vi])
                with T.init():
                    y[vi] = T.float32(0.0)
                y[vi] = y[vi] + x[vi, vk]

    @R.function
    def main(x: R.Tensor((8, 2), "float32")) -> R.Tensor((8,), "float32"):
        cls = Target
        y = R.call_tir(cls.f, (x,), out_ty=R.Tensor((8,), "float32"))
        return y
