# The joint matmul stands after all right operands and before all users of the products.


@I.ir_module
class Source:
    @R.function
    def main(
        x: R.Tensor((3, 3), "float32"),
        v: R.Tensor((3, 3), "float32"),
    ) -> R.Tuple(R.Tensor((3, 3), "float32"), R.Tensor((3, 3), "float32")):
        with R.dataflow():
            m = R.matmul(x, v)
            y = R.exp(m)
            w = R.exp(v)
            z = R.matmul(x, w)
            R.output(y, z)
        return (y, z)


@I.ir_module
class Target:
    @R.function
    def main(
        x: R.Tensor((3, 3), "float32"),
        v: R.Tensor((3, 3), "float32"),
    ) -> R.Tuple(R.Tensor((3, 3), "float32"), R.Tensor((3, 3), "float32")):
        with R.dataflow():
            w = R.exp(v)
            weights = R.concat((v, w), axis=1)
            products = R.matmul(x, weights, out_dtype="float32")
            parts = R.split(products, indices_or_sections=[3], axis=1)
            m = parts[0]
            y = R.exp(m)
            z = parts[1]
            R.output(y, z)
        return (y, z)
