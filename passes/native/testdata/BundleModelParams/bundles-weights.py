# Weights become the fields of one parameter.
# fault index-counts-inputs: form.wrong-type
# fault fields-reversed
# fault input-mutated


@I.ir_module
class Source:
    @R.function
    def main(
        x: R.Tensor((2,), "float32"),
        w: R.Tensor((2,), "float32"),
        unused: R.Tensor((3,), "float32"),
    ) -> R.Tensor((2,), "float32"):
        R.func_attr({"num_input": 1})
        y = R.add(x, w)
        return y


@I.ir_module
class Target:
    @R.function
    def main(
        x: R.Tensor((2,), "float32"),
        model_params: R.Tuple(R.Tensor((2,), "float32"), R.Tensor((3,), "float32")),
    ) -> R.Tensor((2,), "float32"):
        R.func_attr({"num_input": 1})
        w = model_params[0]
        y = R.add(x, w)
        return y


@I.ir_module
class FieldsReversed:
    @R.function
    def main(
        x: R.Tensor((2,), "float32"),
        model_params: R.Tuple(R.Tensor((3,), "float32"), R.Tensor((2,), "float32")),
    ) -> R.Tensor((2,), "float32"):
        R.func_attr({"num_input": 1})
        w = model_params[1]
        y = R.add(x, w)
        return y
