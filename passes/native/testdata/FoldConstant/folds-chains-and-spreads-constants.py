# Calls of constants in dataflow blocks are folded, one after the other; the results take the variables' places everywhere.


@I.ir_module
class Source:
    @R.function
    def main(x: R.Tensor((2,), "int32")) -> R.Tuple(R.Tensor((2,), "int32"), R.Tensor((2,), "int32")):
        with R.dataflow():
            a = R.const([1, 2], "int32")
            b = R.add(a, a)
            c = R.multiply(b, R.const(3, "int32"))
            dead = R.add(x, x)
            d = R.add(x, c)
            R.output(c, d)
        e = R.add(c, c)
        f = (d, e)
        return f


@I.ir_module
class Target:
    @R.function
    def main(x: R.Tensor((2,), "int32")) -> R.Tuple(R.Tensor((2,), "int32"), R.Tensor((2,), "int32")):
        with R.dataflow():
            d = R.add(x, R.const([6, 12], "int32"))
            R.output(d)
        e = R.add(R.const([6, 12], "int32"), R.const([6, 12], "int32"))
        f = (d, e)
        return f
