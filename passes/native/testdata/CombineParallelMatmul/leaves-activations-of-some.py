# An activation that only one of the products has is applied to its part alone.
# fault activation-for-all


@I.ir_module
class Source:
    @R.function
    def main(
        x: R.Tensor((2, 3), "float32"),
        v: R.Tensor((3, 4), "float32"),
        w: R.Tensor((3, 5), "float32"),
    ) -> R.Tuple(R.Tensor((2, 4), "float32"), R.Tensor((2, 5), "float32")):
        with R.dataflow():
            m = R.matmul(x, v)
            y = R.nn.relu(m)
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
            m = parts[0]
            y = R.nn.relu(m)
            z = parts[1]
            R.output(y, z)
        return (y, z)


@I.ir_module
class ActivationForAll:
    @R.function
    def main(
        x: R.Tensor((2, 3), "float32"),
        v: R.Tensor((3, 4), "float32"),
        w: R.Tensor((3, 5), "float32"),
    ) -> R.Tuple(R.Tensor((2, 4), "float32"), R.Tensor((2, 5), "float32")):
        with R.dataflow():
            weights = R.concat((v, w), axis=1)
            products = R.matmul(x, weights, out_dtype="float32")
            activations = R.nn.relu(products)
            parts = R.split(activations, indices_or_sections=[4], axis=1)
            y = parts[0]
            z = parts[1]
            R.output(y, z)
        return (y, z)
