# The option says what the new parameter is called.
# options: {"param_tuple_name": "p"}


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
        p: R.Tuple(R.Tensor((2,), "float32"), R.Tensor((3,), "float32")),
    ) -> R.Tensor((2,), "float32"):
        R.func_attr({"num_input": 1})
        w = p[0]
        y = R.add(x, w)
        return y
