# What a condition reads may change from one iteration to the next; a loop without iterations evaluates nothing.
# unchanged


@I.ir_module
class Source:
    @T.prim_func(private=True)
    def f(x: T.Buffer((8,), "float32"), y: T.Buffer((8,), "float32")):
        for i in range(8):
            y[i] = x[i]
        for i in range(8):
            if y[0] < T.float32(3.0):
                y[0] = y[0] + T.float32(1.0)
        for i, j in T.grid(8, 0):
            if i // (i - 3) < 2:
                y[i] = T.float32(0.0)

    @R.function
    def main(x: R.Tensor((8,), "float32")) -> R.Tensor((8,), "float32"):
        cls = Source
        y = R.call_tir(cls.f, (x,), out_ty=R.Tensor((8,), "float32"))
        return y
