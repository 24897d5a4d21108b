# A second run puts its transformation behind that of the first.


@I.ir_module
class Source:
    @R.function
    def main(
        x: R.Tensor((2, 3), "float32"),
        v: R.Tensor((3,), "float32"),
        wt: R.Tensor((3, 3), "float32"),
    ) -> R.Tensor((2, 3), "float32"):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            y = R.matmul(x, wt)
            z = R.add(y, v)
            R.output(z)
        return z

    @R.function
    def main_transform_params(
        model_params: R.Tuple(R.Tensor((3, 3), "float32"), R.Tensor((3,), "float32")),
    ) -> R.Tuple(R.Tensor((3,), "float32"), R.Tensor((3, 3), "float32")):
        R.func_attr({"num_input": 0})
        with R.dataflow():
            w = model_params[0]
            v = model_params[1]
            wt = R.permute_dims(w, axes=[1, 0])
            output_tuple = (v, wt)
            R.output(output_tuple)
        return output_tuple


@I.ir_module
class Target:
    @R.function
    def main(
        x: R.Tensor((2, 3), "float32"),
        v: R.Tensor((3,), "float32"),
        wt: R.Tensor((3, 3), "float32"),
    ) -> R.Tensor((2, 3), "float32"):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            y = R.matmul(x, wt)
            z = R.add(y, v)
            R.output(z)
        return z

    @R.function
    def main_transform_params(
        model_params: R.Tuple(R.Tensor((3, 3), "float32"), R.Tensor((3,), "float32")),
    ) -> R.Tuple(R.Tensor((3,), "float32"), R.Tensor((3, 3), "float32")):
        R.func_attr({"num_input": 0})
        with R.dataflow():
            w = model_params[0]
            v = model_params[1]
            wt = R.permute_dims(w, axes=[1, 0])
            output_tuple = (v, wt)
            R.output(output_tuple)
        with R.dataflow():
            v_1 = output_tuple[0]
            wt_1 = output_tuple[1]
            output_tuple_1 = (v_1, wt_1)
            R.output(output_tuple_1)
        return output_tuple_1
