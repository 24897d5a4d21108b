# The new matmuls have the out_dtype of the old one.
# fault out-dtype-dropped: form.wrong-type


@I.ir_module
class Source:
    @R.function
    def main(
        x: R.Tensor((4, 3), "float32"),
        a: R.Tensor((3, 5), "float32"),
        b: R.Tensor((3, 5), "float32"),
    ) -> R.Tensor((4, 5), "float64"):
        w = R.add(a, b)
        y = R.matmul(x, w, out_dtype="float64")
        return y


@I.ir_module
class Target:
    @R.function
    def main(
        x: R.Tensor((4, 3), "float32"),
        a: R.Tensor((3, 5), "float32"),
        b: R.Tensor((3, 5), "float32"),
    ) -> R.Tensor((4, 5), "float64"):
        product = R.matmul(x, a, out_dtype="float64")
        product_1 = R.matmul(x, b, out_dtype="float64")
        y = R.add(product, product_1)
        return y
