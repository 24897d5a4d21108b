# A weight is freed only after the last use of every variable that holds it.


@I.ir_module
class Source:
    @R.function
    def transform_params(
        w: R.Tensor((2,), "float32"),
        v: R.Tensor(("n",), "float32"),
    ) -> R.Tuple(R.Tensor((2,), "float32")):
        n = T.int64()
        a = w
        t = R.add(a, a)
        return (t,)


@I.ir_module
class Target:
    @R.function(pure=False)
    def transform_params() -> R.Tuple():
        w_untyped = R.call_packed("get_item", R.prim_value(0), ty_args=(R.Object,))
        w = R.match_cast(w_untyped, R.Tensor((2,), "float32"))
        a = w
        t = R.add(a, a)
        v_ = R.vm.kill_object(w)
        v__1 = R.call_packed("set_item", R.prim_value(0), t, ty_args=(R.Object,))
        return R.tuple()
