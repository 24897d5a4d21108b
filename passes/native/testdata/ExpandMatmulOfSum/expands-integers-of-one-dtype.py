# Where sum and product wrap alike, both forms agree.


@I.ir_module
class Source:
    @R.function
    def main(
        x: R.Tensor((4, 3), "int8"),
        a: R.Tensor((3, 5), "int8"),
        b: R.Tensor((3, 5), "int8"),
    ) -> R.Tensor((4, 5), "int8"):
        w = R.add(a, b)
        y = R.matmul(x, w, out_dtype="int8")
        return y


@I.ir_module
class Target:
    @R.function
    def main(
        x: R.Tensor((4, 3), "int8"),
        a: R.Tensor((3, 5), "int8"),
        b: R.Tensor((3, 5), "int8"),
    ) -> R.Tensor((4, 5), "int8"):
        product = R.matmul(x, a, out_dtype="int8")
        product_1 = R.matmul(x, b, out_dtype="int8")
        y = R.add(product, product_1)
        return y
