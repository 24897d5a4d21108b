# A weight whose shape mentions a dim of the inputs has no known shape in the transformation, and defines no dims there:
# what mentions `m` stays.


@I.ir_module
class Source:
    @R.function
    def main(
        x: R.Tensor(("n", "m"), "float32"),
        w: R.Tensor(("n + n", "m"), "float32"),
        v: R.Tensor((), "float32"),
        u: R.Tensor(("m + 4",), "float32"),
    ) -> R.Tensor(("m",), "float32"):
        n = T.int64()
        m = T.int64()
        R.func_attr({"num_input": 1})
        with R.dataflow():
            y = R.full(R.shape([m]), v)
            R.output(y)
        return y


@I.ir_module
class Target:
    @R.function
    def main(x: R.Tensor(("n", "m"), "float32"), v: R.Tensor((), "float32")) -> R.Tensor(("m",), "float32"):
        n = T.int64()
        m = T.int64()
        R.func_attr({"num_input": 1})
        with R.dataflow():
            y = R.full(R.shape([m]), v)
            R.output(y)
        return y

    @R.function
    def main_transform_params(
        model_params: R.Tuple(R.Tensor(dtype="float32", ndim=2), R.Tensor((), "float32"), R.Tensor(dtype="float32", ndim=1)),
    ) -> R.Tuple(R.Tensor((), "float32")):
        R.func_attr({"num_input": 0})
        with R.dataflow():
            v = model_params[1]
            output_tuple = (v,)
            R.output(output_tuple)
        return output_tuple
