# A tuple of results that another function returns is taken apart; a tuple of weights used whole is put together.
# That the tuple need not be written out is apache/tvm issue 17269.
# fault tuple-must-be-written-out: native.tuple-not-written-out
# fault whole-tuple-unbound: form.undefined-var


@I.ir_module
class Source:
    @R.function
    def transform_params(
        params: R.Tuple(R.Tensor((2,), "float32"), R.Tensor((3,), "float32")),
    ) -> R.Tuple(R.Tensor((2,), "float32"), R.Tensor((3,), "float32")):
        cls = Source
        packed = cls.helper(params)
        return packed

    @R.function
    def helper(
        p: R.Tuple(R.Tensor((2,), "float32"), R.Tensor((3,), "float32")),
    ) -> R.Tuple(R.Tensor((2,), "float32"), R.Tensor((3,), "float32")):
        return p


@I.ir_module
class Target:
    @R.function(pure=False)
    def transform_params() -> R.Tuple():
        cls = Target
        params_0_untyped = R.call_packed("get_item", R.prim_value(0), ty_args=(R.Object,))
        params_0 = R.match_cast(params_0_untyped, R.Tensor((2,), "float32"))
        params_1_untyped = R.call_packed("get_item", R.prim_value(1), ty_args=(R.Object,))
        params_1 = R.match_cast(params_1_untyped, R.Tensor((3,), "float32"))
        params = (params_0, params_1)
        v_ = R.vm.kill_object(params_0)
        v__1 = R.vm.kill_object(params_1)
        packed = cls.helper(params)
        result_0 = packed[0]
        v__2 = R.call_packed("set_item", R.prim_value(0), result_0, ty_args=(R.Object,))
        result_1 = packed[1]
        v__3 = R.call_packed("set_item", R.prim_value(1), result_1, ty_args=(R.Object,))
        return R.tuple()

    @R.function
    def helper(
        p: R.Tuple(R.Tensor((2,), "float32"), R.Tensor((3,), "float32")),
    ) -> R.Tuple(R.Tensor((2,), "float32"), R.Tensor((3,), "float32")):
        return p
