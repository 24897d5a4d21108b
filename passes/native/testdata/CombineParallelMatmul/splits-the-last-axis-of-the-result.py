# The result is split along its own last axis, which is not that of the operands where the left one is a vector.
# fault split-axis-of-operands: type.axis


@I.ir_module
class Source:
    @R.function
    def vector(
        x: R.Tensor((3,), "float32"),
        v: R.Tensor((3, 4), "float32"),
        w: R.Tensor((3, 5), "float32"),
    ) -> R.Tuple(R.Tensor((4,), "float32"), R.Tensor((5,), "float32")):
        with R.dataflow():
            y = R.matmul(x, v)
            z = R.matmul(x, w)
            R.output(y, z)
        return (y, z)

    @R.function
    def batched(
        x: R.Tensor((6, 2, 3), "float32"),
        v: R.Tensor((3, 4), "float32"),
        w: R.Tensor((3, 5), "float32"),
    ) -> R.Tuple(R.Tensor((6, 2, 4), "float32"), R.Tensor((6, 2, 5), "float32")):
        with R.dataflow():
            y = R.matmul(x, v)
            z = R.matmul(x, w)
            R.output(y, z)
        return (y, z)


@I.ir_module
class Target:
    @R.function
    def vector(
        x: R.Tensor((3,), "float32"),
        v: R.Tensor((3, 4), "float32"),
        w: R.Tensor((3, 5), "float32"),
    ) -> R.Tuple(R.Tensor((4,), "float32"), R.Tensor((5,), "float32")):
        with R.dataflow():
            weights = R.concat((v, w), axis=1)
            products = R.matmul(x, weights, out_dtype="float32")
            parts = R.split(products, indices_or_sections=[4], axis=0)
            y = parts[0]
            z = parts[1]
            R.output(y, z)
        return (y, z)

    @R.function
    def batched(
        x: R.Tensor((6, 2, 3), "float32"),
        v: R.Tensor((3, 4), "float32"),
        w: R.Tensor((3, 5), "float32"),
    ) -> R.Tuple(R.Tensor((6, 2, 4), "float32"), R.Tensor((6, 2, 5), "float32")):
        with R.dataflow():
            weights = R.concat((v, w), axis=1)
            products = R.matmul(x, weights, out_dtype="float32")
            parts = R.split(products, indices_or_sections=[4], axis=2)
            y = parts[0]
            z = parts[1]
            R.output(y, z)
        return (y, z)
