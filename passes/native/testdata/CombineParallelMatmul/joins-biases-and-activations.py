# Biases that all products have, and then activations, are applied once to the joint product.
# fault bias-on-first-axis: type.shape


@I.ir_module
class Source:
    @R.function
    def main(
        x: R.Tensor((2, 3), "float32"),
        v: R.Tensor((3, 4), "float32"),
        w: R.Tensor((3, 5), "float32"),
        a: R.Tensor((1, 4), "float32"),
        b: R.Tensor((1, 5), "float32"),
    ) -> R.Tuple(R.Tensor((2, 4), "float32"), R.Tensor((2, 5), "float32")):
        with R.dataflow():
            p = R.matmul(x, v)
            q = R.add(p, a)
            y = R.nn.relu(q)
            r = R.matmul(x, w)
            s = R.add(r, b)
            z = R.nn.relu(s)
            R.output(y, z)
        return (y, z)


@I.ir_module
class Target:
    @R.function
    def main(
        x: R.Tensor((2, 3), "float32"),
        v: R.Tensor((3, 4), "float32"),
        w: R.Tensor((3, 5), "float32"),
        a: R.Tensor((1, 4), "float32"),
        b: R.Tensor((1, 5), "float32"),
    ) -> R.Tuple(R.Tensor((2, 4), "float32"), R.Tensor((2, 5), "float32")):
        with R.dataflow():
            weights = R.concat((v, w), axis=1)
            products = R.matmul(x, weights, out_dtype="float32")
            biases = R.concat((a, b), axis=1)
            sums = R.add(products, biases)
            activations = R.nn.relu(sums)
            parts = R.split(activations, indices_or_sections=[4], axis=1)
            y = parts[0]
            z = parts[1]
            R.output(y, z)
        return (y, z)
