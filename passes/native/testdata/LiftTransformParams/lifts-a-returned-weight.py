# A weight that is returned as it came is handed on with its symbolic dim.


@I.ir_module
class Source:
    @R.function
    def main(w: R.Tensor(("n", 2), "float32")) -> R.Tensor(("n", 2), "float32"):
        n = T.int64()
        R.func_attr({"num_input": 0})
        return w


@I.ir_module
class Target:
    @R.function
    def main(w: R.Tensor(("n", 2), "float32")) -> R.Tensor(("n", 2), "float32"):
        n = T.int64()
        R.func_attr({"num_input": 0})
        return w

    @R.function
    def main_transform_params(
        model_params: R.Tuple(R.Tensor(("n", 2), "float32")),
    ) -> R.Tuple(R.Tensor(("n", 2), "float32")):
        n = T.int64()
        R.func_attr({"num_input": 0})
        with R.dataflow():
            w = model_params[0]
            output_tuple = (w,)
            R.output(output_tuple)
        return output_tuple
