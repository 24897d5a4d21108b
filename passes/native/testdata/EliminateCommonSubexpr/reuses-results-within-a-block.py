# Of two equal calls the second is replaced by the first one's variable, but only where a dataflow variable may be used:
# in its own block.
# fault attributes-ignored
# fault dataflow-leak: form.dataflow-escape


@I.ir_module
class Source:
    @R.function
    def main(x: R.Tensor((2, 2), "float32")) -> R.Tensor((2, 2), "float32"):
        with R.dataflow():
            a = R.permute_dims(x, axes=[1, 0])
            b = R.permute_dims(x, axes=[1, 0])
            d = R.permute_dims(x, axes=[0, 1])
            e = R.add(a, b)
            f = R.add(e, d)
            R.output(f)
        g = R.permute_dims(x, axes=[1, 0])
        h = R.add(f, g)
        return h


@I.ir_module
class Target:
    @R.function
    def main(x: R.Tensor((2, 2), "float32")) -> R.Tensor((2, 2), "float32"):
        with R.dataflow():
            a = R.permute_dims(x, axes=[1, 0])
            b = a
            d = R.permute_dims(x, axes=[0, 1])
            e = R.add(a, a)
            f = R.add(e, d)
            R.output(f)
        g = R.permute_dims(x, axes=[1, 0])
        h = R.add(f, g)
        return h


@I.ir_module
class AttributesIgnored:
    @R.function
    def main(x: R.Tensor((2, 2), "float32")) -> R.Tensor((2, 2), "float32"):
        with R.dataflow():
            a = R.permute_dims(x, axes=[1, 0])
            b = a
            d = a
            e = R.add(a, a)
            f = R.add(e, a)
            R.output(f)
        g = R.permute_dims(x, axes=[1, 0])
        h = R.add(f, g)
        return h
