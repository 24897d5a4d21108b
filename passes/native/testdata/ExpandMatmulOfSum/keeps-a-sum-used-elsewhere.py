# A sum that is also returned stays beside the two matmuls.
# fault used-sum-removed: form.undefined-var
# fault input-mutated


@I.ir_module
class Source:
    @R.function
    def main(
        x: R.Tensor((4, 3), "float32"),
        a: R.Tensor((3, 5), "float32"),
        b: R.Tensor((3, 5), "float32"),
    ) -> R.Tuple(R.Tensor((4, 5), "float32"), R.Tensor((3, 5), "float32")):
        w = R.add(a, b)
        y = R.matmul(x, w)
        return (y, w)


@I.ir_module
class Target:
    @R.function
    def main(
        x: R.Tensor((4, 3), "float32"),
        a: R.Tensor((3, 5), "float32"),
        b: R.Tensor((3, 5), "float32"),
    ) -> R.Tuple(R.Tensor((4, 5), "float32"), R.Tensor((3, 5), "float32")):
        w = R.add(a, b)
        product = R.matmul(x, a)
        product_1 = R.matmul(x, b)
        y = R.add(product, product_1)
        return (y, w)
