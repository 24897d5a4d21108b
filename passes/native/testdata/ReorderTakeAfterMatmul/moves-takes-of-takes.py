# Takes of takes are moved one after the other, through variables that stand for others, and moved again.


@I.ir_module
class Source:
    @R.function
    def main(
        x: R.Tensor((2, 3), "float32"),
        w: R.Tensor((3, 3), "float32"),
        i: R.Tensor((3,), "int64"),
    ) -> R.Tensor((2, 3), "float32"):
        with R.dataflow():
            s = R.take(w, i, axis=1, mode="fast")
            t = R.take(s, i, axis=1, mode="clip")
            a = t
            z = R.matmul(w, a)
            y = R.matmul(x, z)
            R.output(y)
        return y


@I.ir_module
class Target:
    @R.function
    def main(
        x: R.Tensor((2, 3), "float32"),
        w: R.Tensor((3, 3), "float32"),
        i: R.Tensor((3,), "int64"),
    ) -> R.Tensor((2, 3), "float32"):
        with R.dataflow():
            product = R.matmul(w, w)
            product_1 = R.matmul(x, product)
            product_2 = R.take(product_1, i, axis=1, mode="fast")
            y = R.take(product_2, i, axis=1, mode="clip")
            R.output(y)
        return y
