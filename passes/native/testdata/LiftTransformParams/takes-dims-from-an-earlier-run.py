# In a second run the dims of the transformation are those of the first.


@I.ir_module
class Source:
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
        with R.dataflow():
            w_1 = output_tuple[0]
            output_tuple_1 = (w_1,)
            R.output(output_tuple_1)
        return output_tuple_1
