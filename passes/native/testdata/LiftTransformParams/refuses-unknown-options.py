# There is no such option.
# options: {"shared": true}
# rejects: options.unknown


@I.ir_module
class Source:
    @R.function
    def main(
        x: R.Tensor((2, 3), "float32"),
        w: R.Tensor((3, 3), "float32"),
        v: R.Tensor((3,), "float32"),
    ) -> R.Tensor((2, 3), "float32"):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            wt = R.permute_dims(w, axes=[1, 0])
            unused = R.add(v, v)
            y = R.matmul(x, wt)
            z = R.add(y, v)
            R.output(z)
        return z
