# A bias that is broadcast along the columns cannot be joined with the others: the sums stay.
# fault broadcast-bias: type.broadcast


@I.ir_module
class Source:
    @R.function
    def main(
        x: R.Tensor((2, 3), "float32"),
        v: R.Tensor((3, 4), "float32"),
        w: R.Tensor((3, 5), "float32"),
        a: R.Tensor((4,), "float32"),
        b: R.Tensor((1,), "float32"),
    ) -> R.Tuple(R.Tensor((2, 4), "float32"), R.Tensor((2, 5), "float32")):
        with R.dataflow():
            m = R.matmul(x, v)
            n = R.matmul(x, w)
            y = R.add(m, a)
            z = R.add(n, b)
            R.output(y, z)
        return (y, z)


@I.ir_module
class Target:
    @R.function
    def main(
        x: R.Tensor((2, 3), "float32"),
        v: R.Tensor((3, 4), "float32"),
        w: R.Tensor((3, 5), "float32"),
        a: R.Tensor((4,), "float32"),
        b: R.Tensor((1,), "float32"),
    ) -> R.Tuple(R.Tensor((2, 4), "float32"), R.Tensor((2, 5), "float32")):
        with R.dataflow():
            weights = R.concat((v, w), axis=1)
            products = R.matmul(x, weights, out_dtype="float32")
            parts = R.split(products, indices_or_sections=[4], axis=1)
            m = parts[0]
            n = parts[1]
            y = R.add(m, a)
            z = R.add(n, b)
            R.output(y, z)
        return (y, z)
