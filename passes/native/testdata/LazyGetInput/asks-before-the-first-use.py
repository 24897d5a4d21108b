# Each weight is asked for by its index just before the binding that uses it first.
# fault index-counts-inputs
# fault last-weight-first
# fault asked-after-use: form.undefined-var
# fault cast-omitted: form.wrong-type


@I.ir_module
class Source:
    @R.function
    def main(
        x: R.Tensor((2,), "float32"),
        w: R.Tensor((2,), "float32"),
        v: R.Tensor((2,), "float32"),
    ) -> R.Tensor((2,), "float32"):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            a = R.add(x, x)
            b = R.add(a, v)
            c = R.multiply(b, w)
            R.output(c)
        return c


@I.ir_module
class Target:
    @R.function
    def main(
        x: R.Tensor((2,), "float32"),
        fget_param: R.Callable((R.Prim("int64"), R.Object), R.Object, True),
    ) -> R.Tensor((2,), "float32"):
        R.func_attr({"num_input": 2})
        with R.dataflow():
            a = R.add(x, x)
            v_untyped = fget_param(R.prim_value(1), R.str("v"))
            v = R.match_cast(v_untyped, R.Tensor((2,), "float32"))
            b = R.add(a, v)
            w_untyped = fget_param(R.prim_value(0), R.str("w"))
            w = R.match_cast(w_untyped, R.Tensor((2,), "float32"))
            c = R.multiply(b, w)
            R.output(v, w, c)
        return c


@I.ir_module
class IndexCountsInputs:
    @R.function
    def main(
        x: R.Tensor((2,), "float32"),
        fget_param: R.Callable((R.Prim("int64"), R.Object), R.Object, True),
    ) -> R.Tensor((2,), "float32"):
        R.func_attr({"num_input": 2})
        with R.dataflow():
            a = R.add(x, x)
            v_untyped = fget_param(R.prim_value(2), R.str("v"))
            v = R.match_cast(v_untyped, R.Tensor((2,), "float32"))
            b = R.add(a, v)
            w_untyped = fget_param(R.prim_value(1), R.str("w"))
            w = R.match_cast(w_untyped, R.Tensor((2,), "float32"))
            c = R.multiply(b, w)
            R.output(v, w, c)
        return c


@I.ir_module
class LastWeightFirst:
    @R.function
    def main(
        x: R.Tensor((2,), "float32"),
        fget_param: R.Callable((R.Prim("int64"), R.Object), R.Object, True),
    ) -> R.Tensor((2,), "float32"):
        R.func_attr({"num_input": 2})
        with R.dataflow():
            a = R.add(x, x)
            v_untyped = fget_param(R.prim_value(0), R.str("v"))
            v = R.match_cast(v_untyped, R.Tensor((2,), "float32"))
            b = R.add(a, v)
            w_untyped = fget_param(R.prim_value(1), R.str("w"))
            w = R.match_cast(w_untyped, R.Tensor((2,), "float32"))
            c = R.multiply(b, w)
            R.output(v, w, c)
        return c
