# The shared transformation keeps one of `a` and `b`, and each function knows it under both names.
# options: {"shared_transform": true}


@I.ir_module
class Source:
    @R.function
    def f(w: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        R.func_attr({"num_input": 0})
        with R.dataflow():
            a = R.add(w, w)
            b = R.add(w, w)
            c = R.negative(b)
            R.output(c)
        return c

    @R.function
    def g(w: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        R.func_attr({"num_input": 0})
        with R.dataflow():
            a = R.add(w, w)
            b = R.add(w, w)
            c = R.negative(b)
            R.output(c)
        return c


@I.ir_module
class Target:
    @R.function
    def f(c: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        R.func_attr({"num_input": 0})
        return c

    @R.function
    def g(c: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        R.func_attr({"num_input": 0})
        return c

    @R.function
    def transform_params(
        model_params: R.Tuple(R.Tensor((2,), "float32")),
    ) -> R.Tuple(R.Tensor((2,), "float32")):
        R.func_attr({"num_input": 0})
        with R.dataflow():
            w = model_params[0]
            a = R.add(w, w)
            c = R.negative(a)
            output_tuple = (c,)
            R.output(output_tuple)
        return output_tuple
