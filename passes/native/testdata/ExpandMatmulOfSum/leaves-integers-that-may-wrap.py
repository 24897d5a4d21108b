# A sum of narrow integers may wrap before a wider out_dtype takes effect, so the matmul stays.
# arguments: {"a": [100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100], "b": [100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100]}
# unchanged
# fault wrapped-sum-widened


@I.ir_module
class Source:
    @R.function
    def to_int32(
        x: R.Tensor((4, 3), "int8"),
        a: R.Tensor((3, 5), "int8"),
        b: R.Tensor((3, 5), "int8"),
    ) -> R.Tensor((4, 5), "int32"):
        w = R.add(a, b)
        y = R.matmul(x, w, out_dtype="int32")
        return y

    @R.function
    def to_float32(
        x: R.Tensor((4, 3), "int8"),
        a: R.Tensor((3, 5), "int8"),
        b: R.Tensor((3, 5), "int8"),
    ) -> R.Tensor((4, 5), "float32"):
        w = R.add(a, b)
        y = R.matmul(x, w, out_dtype="float32")
        return y


@I.ir_module
class WrappedSumWidened:
    @R.function
    def to_int32(
        x: R.Tensor((4, 3), "int8"),
        a: R.Tensor((3, 5), "int8"),
        b: R.Tensor((3, 5), "int8"),
    ) -> R.Tensor((4, 5), "int32"):
        product = R.matmul(x, a, out_dtype="int32")
        product_1 = R.matmul(x, b, out_dtype="int32")
        y = R.add(product, product_1)
        return y

    @R.function
    def to_float32(
        x: R.Tensor((4, 3), "int8"),
        a: R.Tensor((3, 5), "int8"),
        b: R.Tensor((3, 5), "int8"),
    ) -> R.Tensor((4, 5), "float32"):
        w = R.add(a, b)
        y = R.matmul(x, w, out_dtype="float32")
        return y
