# What depends on no weight stays, and so does what stands outside of dataflow blocks and in functions without num_input.


@I.ir_module
class Source:
    @R.function
    def other(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        y = R.add(x, x)
        return y

    @R.function
    def main(x: R.Tensor((2,), "float32"), w: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            c = R.zeros(R.shape([2]), dtype="float32")
            y = R.add(x, c)
            R.output(y)
        z = R.add(w, w)
        u = R.add(y, z)
        return u


@I.ir_module
class Target:
    @R.function
    def other(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        y = R.add(x, x)
        return y

    @R.function
    def main(x: R.Tensor((2,), "float32"), w: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            c = R.zeros(R.shape([2]), dtype="float32")
            y = R.add(x, c)
            R.output(y)
        z = R.add(w, w)
        u = R.add(y, z)
        return u

    @R.function
    def main_transform_params(
        model_params: R.Tuple(R.Tensor((2,), "float32")),
    ) -> R.Tuple(R.Tensor((2,), "float32")):
        R.func_attr({"num_input": 0})
        with R.dataflow():
            w = model_params[0]
            output_tuple = (w,)
            R.output(output_tuple)
        return output_tuple
