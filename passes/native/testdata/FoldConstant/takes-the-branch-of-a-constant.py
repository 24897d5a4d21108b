# An If on a constant becomes the branch that it takes.
# fault else-never-taken


@I.ir_module
class Source:
    @R.function
    def main(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        with R.dataflow():
            c = R.less(R.const(2, "int32"), R.const(1, "int32"))
            R.output(c)
        if c:
            y = R.exp(x)
            z = y
        else:
            y_1 = R.negative(x)
            z_else = R.add(y_1, y_1)
            z = z_else
        w = R.add(z, z)
        return w


@I.ir_module
class Target:
    @R.function
    def main(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        y_1 = R.negative(x)
        z = R.add(y_1, y_1)
        w = R.add(z, z)
        return w


@I.ir_module
class ElseNeverTaken:
    @R.function
    def main(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        z = R.exp(x)
        w = R.add(z, z)
        return w
