# Every output is handed over by its index as soon as it is bound, but outside of dataflow blocks: a parameter, one value
# twice, and a tuple.
# fault parameter-skipped
# fault repeated-once
# fault unbound-skipped
# fault still-pure: form.impure-call
# fault inside-dataflow: form.impure-call
# fault inner-tuple-spread


@I.ir_module
class Source:
    @R.function
    def main(
        x: R.Tensor((2,), "float32"),
        w: R.Tensor((2,), "float32"),
    ) -> R.Tuple(
        R.Tensor((2,), "float32"),
        R.Tensor((2,), "float32"),
        R.Tensor((2,), "float32"),
        R.Tuple(R.Tensor((2,), "float32"), R.Tensor((2,), "float32")),
    ):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            a = R.add(x, w)
            b = R.multiply(a, a)
            R.output(a, b)
        return (w, a, a, (a, b))


@I.ir_module
class Target:
    @R.function(pure=False)
    def main(
        x: R.Tensor((2,), "float32"),
        fset_output: R.Callable((R.Prim("int64"), R.Object), R.Tuple(), False),
        w: R.Tensor((2,), "float32"),
    ) -> R.Tuple():
        R.func_attr({"num_input": 2})
        _void = fset_output(R.prim_value(0), w)
        with R.dataflow():
            a = R.add(x, w)
            b = R.multiply(a, a)
            R.output(a, b)
        _void_1 = fset_output(R.prim_value(1), a)
        _void_2 = fset_output(R.prim_value(2), a)
        _void_3 = fset_output(R.prim_value(3), (a, b))
        return R.tuple()


@I.ir_module
class ParameterSkipped:
    @R.function(pure=False)
    def main(
        x: R.Tensor((2,), "float32"),
        fset_output: R.Callable((R.Prim("int64"), R.Object), R.Tuple(), False),
        w: R.Tensor((2,), "float32"),
    ) -> R.Tuple():
        R.func_attr({"num_input": 2})
        with R.dataflow():
            a = R.add(x, w)
            b = R.multiply(a, a)
            R.output(a, b)
        _void = fset_output(R.prim_value(1), a)
        _void_1 = fset_output(R.prim_value(2), a)
        _void_2 = fset_output(R.prim_value(3), (a, b))
        return R.tuple()


@I.ir_module
class RepeatedOnce:
    @R.function(pure=False)
    def main(
        x: R.Tensor((2,), "float32"),
        fset_output: R.Callable((R.Prim("int64"), R.Object), R.Tuple(), False),
        w: R.Tensor((2,), "float32"),
    ) -> R.Tuple():
        R.func_attr({"num_input": 2})
        _void = fset_output(R.prim_value(0), w)
        with R.dataflow():
            a = R.add(x, w)
            b = R.multiply(a, a)
            R.output(a, b)
        _void_1 = fset_output(R.prim_value(1), a)
        _void_2 = fset_output(R.prim_value(3), (a, b))
        return R.tuple()


@I.ir_module
class UnboundSkipped:
    @R.function(pure=False)
    def main(
        x: R.Tensor((2,), "float32"),
        fset_output: R.Callable((R.Prim("int64"), R.Object), R.Tuple(), False),
        w: R.Tensor((2,), "float32"),
    ) -> R.Tuple():
        R.func_attr({"num_input": 2})
        _void = fset_output(R.prim_value(0), w)
        with R.dataflow():
            a = R.add(x, w)
            b = R.multiply(a, a)
            R.output(a, b)
        _void_1 = fset_output(R.prim_value(1), a)
        _void_2 = fset_output(R.prim_value(2), a)
        return R.tuple()


@I.ir_module
class InnerTupleSpread:
    @R.function(pure=False)
    def main(
        x: R.Tensor((2,), "float32"),
        fset_output: R.Callable((R.Prim("int64"), R.Object), R.Tuple(), False),
        w: R.Tensor((2,), "float32"),
    ) -> R.Tuple():
        R.func_attr({"num_input": 2})
        _void = fset_output(R.prim_value(0), w)
        with R.dataflow():
            a = R.add(x, w)
            b = R.multiply(a, a)
            R.output(a, b)
        _void_1 = fset_output(R.prim_value(1), a)
        _void_2 = fset_output(R.prim_value(2), a)
        _void_3 = fset_output(R.prim_value(3), a)
        _void_4 = fset_output(R.prim_value(4), b)
        return R.tuple()
