# Without axes a permutation transposes: of squares, types do not tell whether that was done.
# fault permutation-forgotten


@I.ir_module
class Source:
    @R.function
    def main(
        x: R.Tensor((3, 3), "float32"),
        a: R.Tensor((3, 3), "float32"),
        b: R.Tensor((3, 3), "float32"),
    ) -> R.Tensor((3, 3), "float32"):
        w = R.add(a, b)
        t = R.permute_dims(w)
        y = R.matmul(x, t)
        return y


@I.ir_module
class Target:
    @R.function
    def main(
        x: R.Tensor((3, 3), "float32"),
        a: R.Tensor((3, 3), "float32"),
        b: R.Tensor((3, 3), "float32"),
    ) -> R.Tensor((3, 3), "float32"):
        permuted = R.permute_dims(a)
        product = R.matmul(x, permuted)
        permuted_1 = R.permute_dims(b)
        product_1 = R.matmul(x, permuted_1)
        y = R.add(product, product_1)
        return y


@I.ir_module
class PermutationForgotten:
    @R.function
    def main(
        x: R.Tensor((3, 3), "float32"),
        a: R.Tensor((3, 3), "float32"),
        b: R.Tensor((3, 3), "float32"),
    ) -> R.Tensor((3, 3), "float32"):
        permuted = R.permute_dims(a)
        product = R.matmul(x, permuted)
        product_1 = R.matmul(x, b)
        y = R.add(product, product_1)
        return y
