# Outputs are numbered as they are returned; the callback stands between inputs and weights.
# fault last-output-first
# fault callback-last


@I.ir_module
class Source:
    @R.function
    def main(
        x: R.Tensor((2,), "float32"),
        w: R.Tensor((2,), "float32"),
    ) -> R.Tuple(R.Tensor((2,), "float32"), R.Tensor((2,), "float32")):
        R.func_attr({"num_input": 1})
        return (x, w)


@I.ir_module
class Target:
    @R.function(pure=False)
    def main(
        x: R.Tensor((2,), "float32"),
        fset_output: R.Callable((R.Prim("int64"), R.Object), R.Tuple(), False),
        w: R.Tensor((2,), "float32"),
    ) -> R.Tuple():
        R.func_attr({"num_input": 2})
        _void = fset_output(R.prim_value(0), x)
        _void_1 = fset_output(R.prim_value(1), w)
        return R.tuple()


@I.ir_module
class LastOutputFirst:
    @R.function(pure=False)
    def main(
        x: R.Tensor((2,), "float32"),
        fset_output: R.Callable((R.Prim("int64"), R.Object), R.Tuple(), False),
        w: R.Tensor((2,), "float32"),
    ) -> R.Tuple():
        R.func_attr({"num_input": 2})
        _void = fset_output(R.prim_value(1), x)
        _void_1 = fset_output(R.prim_value(0), w)
        return R.tuple()


@I.ir_module
class CallbackLast:
    @R.function(pure=False)
    def main(
        x: R.Tensor((2,), "float32"),
        w: R.Tensor((2,), "float32"),
        fset_output: R.Callable((R.Prim("int64"), R.Object), R.Tuple(), False),
    ) -> R.Tuple():
        R.func_attr({"num_input": 2})
        _void = fset_output(R.prim_value(0), x)
        _void_1 = fset_output(R.prim_value(1), w)
        return R.tuple()
