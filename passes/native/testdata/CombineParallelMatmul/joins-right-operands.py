# Two matmuls of one left operand become one of both right operands, whose result is split.
# options: {"check": {"$callable": "always"}}
# fault split-sizes-reversed: form.wrong-type
# fault order-alternates


@I.ir_module
class Source:
    @R.function
    def main(
        x: R.Tensor((2, 3), "float32"),
        v: R.Tensor((3, 4), "float32"),
        w: R.Tensor((3, 5), "float32"),
    ) -> R.Tuple(R.Tensor((2, 4), "float32"), R.Tensor((2, 5), "float32")):
        with R.dataflow():
            y = R.matmul(x, v)
            z = R.matmul(x, w)
            R.output(y, z)
        return (y, z)


@I.ir_module
class Target:
    @R.function
    def main(
        x: R.Tensor((2, 3), "float32"),
        v: R.Tensor((3, 4), "float32"),
        w: R.Tensor((3, 5), "float32"),
    ) -> R.Tuple(R.Tensor((2, 4), "float32"), R.Tensor((2, 5), "float32")):
        with R.dataflow():
            weights = R.concat((v, w), axis=1)
            products = R.matmul(x, weights, out_dtype="float32")
            parts = R.split(products, indices_or_sections=[4], axis=1)
            y = parts[0]
            z = parts[1]
            R.output(y, z)
        return (y, z)
