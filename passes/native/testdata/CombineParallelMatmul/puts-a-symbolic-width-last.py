# One right operand may have a symbolic width: it goes last, since the result is split at known places. A second one stays.
# fault dynamic-part-not-moved


@I.ir_module
class Source:
    @R.function
    def main(
        x: R.Tensor((2, 3), "float32"),
        v: R.Tensor((3, "n"), "float32"),
        w: R.Tensor((3, 4), "float32"),
        u: R.Tensor((3, "m"), "float32"),
    ) -> R.Tuple(R.Tensor((2, "n"), "float32"), R.Tensor((2, 4), "float32"), R.Tensor((2, "m"), "float32")):
        n = T.int64()
        m = T.int64()
        with R.dataflow():
            y = R.matmul(x, v)
            z = R.matmul(x, w)
            a = R.matmul(x, u)
            R.output(y, z, a)
        return (y, z, a)


@I.ir_module
class Target:
    @R.function
    def main(
        x: R.Tensor((2, 3), "float32"),
        v: R.Tensor((3, "n"), "float32"),
        w: R.Tensor((3, 4), "float32"),
        u: R.Tensor((3, "m"), "float32"),
    ) -> R.Tuple(R.Tensor((2, "n"), "float32"), R.Tensor((2, 4), "float32"), R.Tensor((2, "m"), "float32")):
        n = T.int64()
        m = T.int64()
        with R.dataflow():
            weights = R.concat((w, v), axis=1)
            products = R.matmul(x, weights, out_dtype="float32")
            parts = R.split(products, indices_or_sections=[4], axis=1)
            y: R.Tensor((2, n), "float32") = parts[1]
            z: R.Tensor((2, 4), "float32") = parts[0]
            a = R.matmul(x, u)
            R.output(y, z, a)
        return (y, z, a)


@I.ir_module
class DynamicPartNotMoved:
    @R.function
    def main(
        x: R.Tensor((2, 3), "float32"),
        v: R.Tensor((3, "n"), "float32"),
        w: R.Tensor((3, 4), "float32"),
        u: R.Tensor((3, "m"), "float32"),
    ) -> R.Tuple(R.Tensor((2, "n"), "float32"), R.Tensor((2, 4), "float32"), R.Tensor((2, "m"), "float32")):
        n = T.int64()
        m = T.int64()
        with R.dataflow():
            weights = R.concat((w, v), axis=1)
            products = R.matmul(x, weights, out_dtype="float32")
            parts = R.split(products, indices_or_sections=[4], axis=1)
            y: R.Tensor((2, n), "float32") = parts[0]
            z: R.Tensor((2, 4), "float32") = parts[1]
            a = R.matmul(x, u)
            R.output(y, z, a)
        return (y, z, a)
