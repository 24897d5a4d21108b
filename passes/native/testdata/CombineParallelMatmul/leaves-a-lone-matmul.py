# There is nothing to join one matmul with.
# unchanged
# fault lone-matmul


@I.ir_module
class Source:
    @R.function
    def main(
        x: R.Tensor((2, 3), "float32"),
        v: R.Tensor((3, 4), "float32"),
        w: R.Tensor((3, 5), "float32"),
    ) -> R.Tuple(R.Tensor((2, 4), "float32"), R.Tensor((3, 5), "float32")):
        with R.dataflow():
            y = R.matmul(x, v)
            z = R.exp(w)
            R.output(y, z)
        return (y, z)


@I.ir_module
class LoneMatmul:
    @R.function
    def main(
        x: R.Tensor((2, 3), "float32"),
        v: R.Tensor((3, 4), "float32"),
        w: R.Tensor((3, 5), "float32"),
    ) -> R.Tuple(R.Tensor((2, 4), "float32"), R.Tensor((3, 5), "float32")):
        with R.dataflow():
            weights = R.concat((v,), axis=1)
            products = R.matmul(x, weights, out_dtype="float32")
            parts = R.split(products, indices_or_sections=[], axis=1)
            y = parts
            z = R.exp(w)
            R.output(y, z)
        return (y, z)
