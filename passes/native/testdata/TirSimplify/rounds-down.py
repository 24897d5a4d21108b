# Floor divisions of negative literals round down, and the modulo is not negative; other divisions round towards zero.
# fault floor-divide-truncates
# fault floor-mod-of-dividend


@I.ir_module
class Source:
    @T.prim_func(private=True)
    def f(x: T.Buffer((8,), "float32"), y: T.Buffer((8,), "float32")):
        for i in range(8):
            y[i] = x[T.FloorDiv(-7, 2) + 4] + x[T.FloorMod(-7, 3)] + x[T.Div(-7, 2) + 4] + x[T.truncmod(-7, 3) + 1]

    @R.function
    def main(x: R.Tensor((8,), "float32")) -> R.Tensor((8,), "float32"):
        cls = Source
        y = R.call_tir(cls.f, (x,), out_ty=R.Tensor((8,), "float32"))
        return y


@I.ir_module
class Target:
    @T.prim_func(private=True)
    def f(x: T.Buffer((8,), "float32"), y: T.Buffer((8,), "float32")):
        for i in range(8):
            y[i] = x[0] + x[2] + x[1] + x[0]

    @R.function
    def main(x: R.Tensor((8,), "float32")) -> R.Tensor((8,), "float32"):
        cls = Target
        y = R.call_tir(cls.f, (x,), out_ty=R.Tensor((8,), "float32"))
        return y
