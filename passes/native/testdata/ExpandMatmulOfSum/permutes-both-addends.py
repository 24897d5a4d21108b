# Both addends of a permuted sum are permuted, and both matmuls keep the out_dtype.


@I.ir_module
class Source:
    @R.function
    def main(
        x: R.Tensor((4, 3), "float32"),
        a: R.Tensor((5, 3), "float32"),
        b: R.Tensor((5, 3), "float32"),
    ) -> R.Tensor((4, 5), "float64"):
        w = R.add(a, b)
        t = R.permute_dims(w, axes=[1, 0])
        y = R.matmul(x, t, out_dtype="float64")
        return y


@I.ir_module
class Target:
    @R.function
    def main(
        x: R.Tensor((4, 3), "float32"),
        a: R.Tensor((5, 3), "float32"),
        b: R.Tensor((5, 3), "float32"),
    ) -> R.Tensor((4, 5), "float64"):
        permuted = R.permute_dims(a, axes=[1, 0])
        product = R.matmul(x, permuted, out_dtype="float64")
        permuted_1 = R.permute_dims(b, axes=[1, 0])
        product_1 = R.matmul(x, permuted_1, out_dtype="float64")
        y = R.add(product, product_1)
        return y
