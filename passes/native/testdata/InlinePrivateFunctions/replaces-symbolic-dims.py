# The callee's symbolic dims become those of the arguments, in types and in shapes, in every call anew.
# fault types-not-updated: form.undefined-symbol
# fault shapes-not-updated: form.undefined-symbol


@I.ir_module
class Source:
    @R.function
    def main(x: R.Tensor((2,), "float32"), y: R.Tensor((3,), "float32")) -> R.Tensor((5,), "float32"):
        cls = Source
        with R.dataflow():
            a = cls.halve(x)
            b = cls.halve(y)
            c = R.concat((a, b), axis=0)
            R.output(c)
        return c

    @R.function(private=True)
    def halve(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        with R.dataflow():
            s = R.zeros(R.shape([n]), dtype="float32")
            lv = R.subtract(s, x)
            R.output(lv)
        out = R.multiply(lv, R.const(0.5, "float32"))
        return out


@I.ir_module
class Target:
    @R.function
    def main(x: R.Tensor((2,), "float32"), y: R.Tensor((3,), "float32")) -> R.Tensor((5,), "float32"):
        with R.dataflow():
            s = R.zeros(R.shape([2]), dtype="float32")
            lv = R.subtract(s, x)
            a = R.multiply(lv, R.const(0.5, "float32"))
            s_1 = R.zeros(R.shape([3]), dtype="float32")
            lv_1 = R.subtract(s_1, y)
            b = R.multiply(lv_1, R.const(0.5, "float32"))
            c = R.concat((a, b), axis=0)
            R.output(c)
        return c
