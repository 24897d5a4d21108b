# With one transformation for all functions, only what all of them compute is lifted.
# options: {"shared_transform": true}


@I.ir_module
class Source:
    @R.function
    def f(x: R.Tensor((2,), "float32"), w: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            a = R.add(w, w)
            b = R.multiply(w, w)
            c = R.add(a, b)
            y = R.add(x, c)
            R.output(y)
        return y

    @R.function
    def g(x: R.Tensor((2,), "float32"), w: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            a = R.add(w, w)
            b = R.subtract(w, w)
            c = R.add(a, b)
            y = R.add(x, c)
            R.output(y)
        return y


@I.ir_module
class Target:
    @R.function
    def f(
        x: R.Tensor((2,), "float32"),
        w: R.Tensor((2,), "float32"),
        a: R.Tensor((2,), "float32"),
    ) -> R.Tensor((2,), "float32"):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            b = R.multiply(w, w)
            c = R.add(a, b)
            y = R.add(x, c)
            R.output(y)
        return y

    @R.function
    def g(
        x: R.Tensor((2,), "float32"),
        w: R.Tensor((2,), "float32"),
        a: R.Tensor((2,), "float32"),
    ) -> R.Tensor((2,), "float32"):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            b = R.subtract(w, w)
            c = R.add(a, b)
            y = R.add(x, c)
            R.output(y)
        return y

    @R.function
    def transform_params(
        model_params: R.Tuple(R.Tensor((2,), "float32")),
    ) -> R.Tuple(R.Tensor((2,), "float32"), R.Tensor((2,), "float32")):
        R.func_attr({"num_input": 0})
        with R.dataflow():
            w = model_params[0]
            a = R.add(w, w)
            output_tuple = (w, a)
            R.output(output_tuple)
        return output_tuple
