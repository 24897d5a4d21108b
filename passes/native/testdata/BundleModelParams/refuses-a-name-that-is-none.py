# The option must be an identifier.
# options: {"param_tuple_name": "a b"}
# rejects: options.name


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
