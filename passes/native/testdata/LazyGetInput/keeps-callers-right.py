# A public function that the module itself calls is split: callers call a private copy with the old signature.


@I.ir_module
class Source:
    @R.function
    def main(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        cls = Source
        y = cls.shared(x)
        return y

    @R.function
    def shared(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        y = R.add(x, x)
        return y


@I.ir_module
class Target:
    @R.function
    def main(
        fget_param: R.Callable((R.Prim("int64"), R.Object), R.Object, True),
    ) -> R.Tensor((2,), "float32"):
        R.func_attr({"num_input": 1})
        cls = Target
        x_untyped = fget_param(R.prim_value(0), R.str("x"))
        x = R.match_cast(x_untyped, R.Tensor((2,), "float32"))
        y = cls.shared_unchanged(x)
        return y

    @R.function
    def shared(
        fget_param: R.Callable((R.Prim("int64"), R.Object), R.Object, True),
    ) -> R.Tensor((2,), "float32"):
        R.func_attr({"num_input": 1})
        cls = Target
        x_untyped = fget_param(R.prim_value(0), R.str("x"))
        x = R.match_cast(x_untyped, R.Tensor((2,), "float32"))
        lv = cls.shared_unchanged(x)
        return lv

    @R.function(private=True)
    def shared_unchanged(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        y = R.add(x, x)
        return y
