# Each symbolic dim of the callee becomes the one that the argument has in its place.
# fault first-dim-for-all


@I.ir_module
class Source:
    @R.function
    def main(x: R.Tensor(("k", "l"), "float32")) -> R.Tensor(dtype="float32", ndim=2):
        k = T.int64()
        l = T.int64()
        cls = Source
        y = cls.transposed_zeros(x)
        return y

    @R.function(private=True)
    def transposed_zeros(x: R.Tensor(("n", "m"), "float32")) -> R.Tensor(dtype="float32", ndim=2):
        n = T.int64()
        m = T.int64()
        z = R.zeros(R.shape([m, n]), dtype="float32")
        return z


@I.ir_module
class Target:
    @R.function
    def main(x: R.Tensor(("k", "l"), "float32")) -> R.Tensor(dtype="float32", ndim=2):
        k = T.int64()
        l = T.int64()
        z = R.zeros(R.shape([l, k]), dtype="float32")
        y: R.Tensor(dtype="float32", ndim=2) = z
        return y


@I.ir_module
class FirstDimForAll:
    @R.function
    def main(x: R.Tensor(("k", "l"), "float32")) -> R.Tensor(dtype="float32", ndim=2):
        k = T.int64()
        l = T.int64()
        x_1 = R.match_cast(x, R.Tensor((k, k), "float32"))
        z = R.zeros(R.shape([k, k]), dtype="float32")
        y: R.Tensor(dtype="float32", ndim=2) = z
        return y
