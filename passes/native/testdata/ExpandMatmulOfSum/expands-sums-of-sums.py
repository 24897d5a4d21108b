# An addend that is a sum in turn is expanded, too, and stays where something else uses it.


@I.ir_module
class Source:
    @R.function
    def main(
        x: R.Tensor((4, 3), "float32"),
        a: R.Tensor((3, 5), "float32"),
        b: R.Tensor((3, 5), "float32"),
    ) -> R.Tuple(R.Tensor((4, 5), "float32"), R.Tensor((3, 5), "float32")):
        v = R.add(a, b)
        w = R.add(v, b)
        y = R.matmul(x, w)
        return (y, v)


@I.ir_module
class Target:
    @R.function
    def main(
        x: R.Tensor((4, 3), "float32"),
        a: R.Tensor((3, 5), "float32"),
        b: R.Tensor((3, 5), "float32"),
    ) -> R.Tuple(R.Tensor((4, 5), "float32"), R.Tensor((3, 5), "float32")):
        v = R.add(a, b)
        product = R.matmul(x, a)
        product_1 = R.matmul(x, b)
        product_2 = R.add(product, product_1)
        product_3 = R.matmul(x, b)
        y = R.add(product_2, product_3)
        return (y, v)
