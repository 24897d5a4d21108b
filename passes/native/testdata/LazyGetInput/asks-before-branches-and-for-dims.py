# A weight that only a branch uses is asked for before the If, one that defines a symbolic dim before its first mention.
# fault nested-use-overlooked: form.undefined-var
# fault dims-overlooked: form.undefined-symbol


@I.ir_module
class Source:
    @R.function
    def main(
        c: R.Tensor((), "bool"),
        w: R.Tensor((2,), "float32"),
        v: R.Tensor(("n",), "float32"),
    ) -> R.Tuple(R.Tensor((2,), "float32"), R.Tensor(("n",), "float32")):
        n = T.int64()
        R.func_attr({"num_input": 1})
        z = R.zeros(R.shape([n]), dtype="float32")
        if c:
            t = R.add(w, w)
            y = t
        else:
            e = R.zeros(R.shape([2]), dtype="float32")
            y = e
        u = R.add(z, v)
        return (y, u)


@I.ir_module
class Target:
    @R.function
    def main(
        c: R.Tensor((), "bool"),
        fget_param: R.Callable((R.Prim("int64"), R.Object), R.Object, True),
    ) -> R.Tuple(R.Tensor((2,), "float32"), R.Tensor(dtype="float32", ndim=1)):
        n = T.int64()
        R.func_attr({"num_input": 2})
        v_untyped = fget_param(R.prim_value(1), R.str("v"))
        v = R.match_cast(v_untyped, R.Tensor((n,), "float32"))
        z = R.zeros(R.shape([n]), dtype="float32")
        w_untyped = fget_param(R.prim_value(0), R.str("w"))
        w = R.match_cast(w_untyped, R.Tensor((2,), "float32"))
        if c:
            t = R.add(w, w)
            y = t
        else:
            e = R.zeros(R.shape([2]), dtype="float32")
            y = e
        u = R.add(z, v)
        return (y, u)
