# An addend of one column has as many rows as the sum: its product is broadcast in turn.


@I.ir_module
class Source:
    @R.function
    def main(
        x: R.Tensor((4, 3), "float32"),
        a: R.Tensor((3, 5), "float32"),
        b: R.Tensor((3, 1), "float32"),
    ) -> R.Tensor((4, 5), "float32"):
        with R.dataflow():
            w = R.add(a, b)
            y = R.matmul(x, w)
            R.output(y)
        return y


@I.ir_module
class Target:
    @R.function
    def main(
        x: R.Tensor((4, 3), "float32"),
        a: R.Tensor((3, 5), "float32"),
        b: R.Tensor((3, 1), "float32"),
    ) -> R.Tensor((4, 5), "float32"):
        with R.dataflow():
            product = R.matmul(x, a)
            product_1 = R.matmul(x, b)
            y = R.add(product, product_1)
            R.output(y)
        return y
