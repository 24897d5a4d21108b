# A condition on the loop's own variable stays inside.
# fault loop-variable-used: form.undefined-var
# fault first-iteration-decides
# unchanged


@I.ir_module
class Source:
    @T.prim_func(private=True)
    def f(x: T.Buffer((8,), "float32"), y: T.Buffer((8,), "float32")):
        for i in range(8):
            if i < 2:
                y[i] = x[i]
            else:
                y[i] = x[i] * T.float32(2.0)

    @R.function
    def main(x: R.Tensor((8,), "float32")) -> R.Tensor((8,), "float32"):
        cls = Source
        y = R.call_tir(cls.f, (x,), out_ty=R.Tensor((8,), "float32"))
        return y
