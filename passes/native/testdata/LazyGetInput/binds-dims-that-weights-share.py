# Symbolic dims that only several weights together define are bound before they are used.


@I.ir_module
class Source:
    @R.function
    def main(
        w: R.Tensor(("n", "m + 1"), "float32"),
        v: R.Tensor(("m", "n + 1"), "float32"),
    ) -> R.Tensor((2,), "float32"):
        n = T.int64()
        m = T.int64()
        a = R.sum(w, keepdims=False)
        b = R.sum(v, keepdims=False)
        c = R.add(a, b)
        d = R.broadcast_to(c, R.shape([2]))
        return d


@I.ir_module
class Target:
    @R.function
    def main(
        fget_param: R.Callable((R.Prim("int64"), R.Object), R.Object, True),
    ) -> R.Tensor((2,), "float32"):
        n = T.int64()
        dim = T.int64()
        m = T.int64()
        R.func_attr({"num_input": 1})
        w_untyped = fget_param(R.prim_value(0), R.str("w"))
        w_dims = R.match_cast(w_untyped, R.Tensor((n, dim), "float32"))
        v_untyped = fget_param(R.prim_value(1), R.str("v"))
        v = R.match_cast(v_untyped, R.Tensor((m, n + 1), "float32"))
        w = R.match_cast(w_untyped, R.Tensor((n, m + 1), "float32"))
        a = R.sum(w, keepdims=False)
        b = R.sum(v, keepdims=False)
        c = R.add(a, b)
        d = R.broadcast_to(c, R.shape([2]))
        return d
