# A symbolic dim that only weights define is passed on as a shape.


@I.ir_module
class Source:
    @R.function
    def main(x: R.Tensor((1,), "float32"), w: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        R.func_attr({"num_input": 1})
        with R.dataflow():
            s = R.sum(w, axis=[0], keepdims=True)
            y = R.add(x, s)
            z = R.broadcast_to(y, R.shape([n]))
            R.output(z)
        return z


@I.ir_module
class Target:
    @R.function
    def main(
        x: R.Tensor((1,), "float32"),
        weight_dims: R.Shape(["n"]),
        s: R.Tensor((1,), "float32"),
    ) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        R.func_attr({"num_input": 1})
        with R.dataflow():
            y = R.add(x, s)
            z = R.broadcast_to(y, R.shape([n]))
            R.output(z)
        return z

    @R.function
    def main_transform_params(
        model_params: R.Tuple(R.Tensor(("n",), "float32")),
    ) -> R.Tuple(R.Shape(["n"]), R.Tensor((1,), "float32")):
        n = T.int64()
        R.func_attr({"num_input": 0})
        with R.dataflow():
            w = model_params[0]
            s = R.sum(w, axis=[0], keepdims=True)
            output_tuple = (R.shape([n]), s)
            R.output(output_tuple)
        return output_tuple
