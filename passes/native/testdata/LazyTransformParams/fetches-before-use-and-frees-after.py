# Weights are fetched before their first use and freed after the last; results are set as soon as they are known.
# One weight is returned as it came, one result twice.
# fault repeated-once
# fault weight-not-set
# fault index-by-order
# fault last-result-first
# fault dataflow-kept: form.impure-call
# fault tuple-must-be-written-out: harmless


@I.ir_module
class Source:
    @R.function
    def transform_params(
        params: R.Tuple(R.Tensor((2,), "float32"), R.Tensor((3,), "float32")),
    ) -> R.Tuple(R.Tensor((2,), "float32"), R.Tensor((3,), "float32"), R.Tensor((3,), "float32")):
        with R.dataflow():
            w = params[0]
            v = params[1]
            t = R.add(v, v)
            out = (w, t, t)
            R.output(out)
        return out


@I.ir_module
class Target:
    @R.function(pure=False)
    def transform_params() -> R.Tuple():
        v_untyped = R.call_packed("get_item", R.prim_value(1), ty_args=(R.Object,))
        v = R.match_cast(v_untyped, R.Tensor((3,), "float32"))
        t = R.add(v, v)
        v_ = R.vm.kill_object(v)
        w_untyped = R.call_packed("get_item", R.prim_value(0), ty_args=(R.Object,))
        w = R.match_cast(w_untyped, R.Tensor((2,), "float32"))
        v__1 = R.call_packed("set_item", R.prim_value(0), w, ty_args=(R.Object,))
        v__2 = R.vm.kill_object(w)
        v__3 = R.call_packed("set_item", R.prim_value(1), t, ty_args=(R.Object,))
        v__4 = R.call_packed("set_item", R.prim_value(2), t, ty_args=(R.Object,))
        return R.tuple()


@I.ir_module
class RepeatedOnce:
    @R.function(pure=False)
    def transform_params() -> R.Tuple():
        v_untyped = R.call_packed("get_item", R.prim_value(1), ty_args=(R.Object,))
        v = R.match_cast(v_untyped, R.Tensor((3,), "float32"))
        t = R.add(v, v)
        v_ = R.vm.kill_object(v)
        w_untyped = R.call_packed("get_item", R.prim_value(0), ty_args=(R.Object,))
        w = R.match_cast(w_untyped, R.Tensor((2,), "float32"))
        v__1 = R.call_packed("set_item", R.prim_value(0), w, ty_args=(R.Object,))
        v__2 = R.vm.kill_object(w)
        v__3 = R.call_packed("set_item", R.prim_value(2), t, ty_args=(R.Object,))
        return R.tuple()


@I.ir_module
class WeightNotSet:
    @R.function(pure=False)
    def transform_params() -> R.Tuple():
        v_untyped = R.call_packed("get_item", R.prim_value(1), ty_args=(R.Object,))
        v = R.match_cast(v_untyped, R.Tensor((3,), "float32"))
        t = R.add(v, v)
        v_ = R.vm.kill_object(v)
        v__1 = R.call_packed("set_item", R.prim_value(1), t, ty_args=(R.Object,))
        v__2 = R.call_packed("set_item", R.prim_value(2), t, ty_args=(R.Object,))
        return R.tuple()


@I.ir_module
class IndexByOrder:
    @R.function(pure=False)
    def transform_params() -> R.Tuple():
        v_untyped = R.call_packed("get_item", R.prim_value(0), ty_args=(R.Object,))
        v = R.match_cast(v_untyped, R.Tensor((3,), "float32"))
        t = R.add(v, v)
        v_ = R.vm.kill_object(v)
        w_untyped = R.call_packed("get_item", R.prim_value(1), ty_args=(R.Object,))
        w = R.match_cast(w_untyped, R.Tensor((2,), "float32"))
        v__1 = R.call_packed("set_item", R.prim_value(0), w, ty_args=(R.Object,))
        v__2 = R.vm.kill_object(w)
        v__3 = R.call_packed("set_item", R.prim_value(1), t, ty_args=(R.Object,))
        v__4 = R.call_packed("set_item", R.prim_value(2), t, ty_args=(R.Object,))
        return R.tuple()


@I.ir_module
class LastResultFirst:
    @R.function(pure=False)
    def transform_params() -> R.Tuple():
        v_untyped = R.call_packed("get_item", R.prim_value(1), ty_args=(R.Object,))
        v = R.match_cast(v_untyped, R.Tensor((3,), "float32"))
        t = R.add(v, v)
        v_ = R.vm.kill_object(v)
        w_untyped = R.call_packed("get_item", R.prim_value(0), ty_args=(R.Object,))
        w = R.match_cast(w_untyped, R.Tensor((2,), "float32"))
        v__1 = R.call_packed("set_item", R.prim_value(2), w, ty_args=(R.Object,))
        v__2 = R.vm.kill_object(w)
        v__3 = R.call_packed("set_item", R.prim_value(1), t, ty_args=(R.Object,))
        v__4 = R.call_packed("set_item", R.prim_value(0), t, ty_args=(R.Object,))
        return R.tuple()
