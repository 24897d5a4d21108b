# A take that is also returned stays.
# fault used-take-removed: form.undefined-var


@I.ir_module
class Source:
    @R.function
    def main(
        x: R.Tensor((2, 3), "float32"),
        w: R.Tensor((3, 9), "float32"),
        i: R.Tensor((4,), "int64"),
    ) -> R.Tuple(R.Tensor((2, 4), "float32"), R.Tensor((3, 4), "float32")):
        t = R.take(w, i, axis=1, mode="fast")
        y = R.matmul(x, t)
        return (y, t)


@I.ir_module
class Target:
    @R.function
    def main(
        x: R.Tensor((2, 3), "float32"),
        w: R.Tensor((3, 9), "float32"),
        i: R.Tensor((4,), "int64"),
    ) -> R.Tuple(R.Tensor((2, 4), "float32"), R.Tensor((3, 4), "float32")):
        t = R.take(w, i, axis=1, mode="fast")
        product = R.matmul(x, w)
        y = R.take(product, i, axis=1, mode="fast")
        return (y, t)
