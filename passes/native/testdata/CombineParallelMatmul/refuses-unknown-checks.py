# The one check that can be given is a function that always says yes.
# options: {"check": 1}
# rejects: options.unknown


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
