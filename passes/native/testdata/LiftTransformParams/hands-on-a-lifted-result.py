# A result that is lifted is handed on, too.
# fault output-dropped: form.undefined-var
# fault untransformed-argument


@I.ir_module
class Source:
    @R.function
    def main(x: R.Tensor((2,), "float32"), w: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            y = R.add(w, w)
            R.output(y)
        return y


@I.ir_module
class Target:
    @R.function
    def main(x: R.Tensor((2,), "float32"), y: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        R.func_attr({"num_input": 1})
        return y

    @R.function
    def main_transform_params(
        model_params: R.Tuple(R.Tensor((2,), "float32")),
    ) -> R.Tuple(R.Tensor((2,), "float32")):
        R.func_attr({"num_input": 0})
        with R.dataflow():
            w = model_params[0]
            y = R.add(w, w)
            output_tuple = (y,)
            R.output(output_tuple)
        return output_tuple


@I.ir_module
class UntransformedArgument:
    @R.function
    def main(x: R.Tensor((2,), "float32"), y: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        R.func_attr({"num_input": 1})
        return y

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
