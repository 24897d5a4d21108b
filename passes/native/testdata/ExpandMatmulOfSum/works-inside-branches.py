# A sum inside a branch is expanded, with addends from outside of it; a sum outside is out of reach.


@I.ir_module
class Source:
    @R.function
    def main(
        c: R.Tensor((), "bool"),
        x: R.Tensor((2, 2), "float32"),
        a: R.Tensor((2, 2), "float32"),
    ) -> R.Tensor((2, 2), "float32"):
        w = R.add(a, a)
        if c:
            v = R.add(a, w)
            z = R.matmul(x, v)
            y = z
        else:
            z_1 = R.matmul(x, w)
            y = z_1
        return y


@I.ir_module
class Target:
    @R.function
    def main(
        c: R.Tensor((), "bool"),
        x: R.Tensor((2, 2), "float32"),
        a: R.Tensor((2, 2), "float32"),
    ) -> R.Tensor((2, 2), "float32"):
        w = R.add(a, a)
        if c:
            product = R.matmul(x, a)
            product_1 = R.matmul(x, w)
            z = R.add(product, product_1)
            y = z
        else:
            z_1 = R.matmul(x, w)
            y = z_1
        return y
