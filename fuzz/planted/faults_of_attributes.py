"""Faults that lose attributes, of calls and of what values do not show."""

import tvm
import tvm_ffi
from planting import calls, dtype_of, functions, plant, rank, same_type
from tvm import relax


# The device of values is dropped.
def drop_device(rewriter, call):
    return call.args[0]


plant("DeviceDropped", calls({"relax.to_vdevice"}, drop_device), calls("relax.to_vdevice", lambda *_: None),
      numerics="exact")


# Attributes of functions are dropped.
def drop_attribute(wanted):
    def change(module, name, function):
        if not isinstance(function, relax.Function) or function.attrs is None:
            return function
        for attribute in list(function.attrs.keys()):
            if wanted(attribute, function):
                function = function.without_attr(attribute)
        return function

    return functions(change)


plant("NumInputDropped", drop_attribute(lambda name, _: name == "num_input"), drop_attribute(lambda *_: False),
      numerics="exact")


def is_private(function):
    return function.attrs is None or "global_symbol" not in function.attrs


plant("PrivateAttributeDropped", drop_attribute(lambda _, function: is_private(function)),
      drop_attribute(lambda *_: False), numerics="exact")


# The axis of a softmax is off by one; or it is counted from the other end.
def softmax_axis(step):
    def rewrite(_, call):
        n = rank(call)
        if n < 2:
            return None
        axis = int(call.attrs.axis) % n
        return relax.op.nn.softmax(call.args[0], (axis + 1) % n if step else axis - n)

    return calls("relax.nn.softmax", rewrite)


plant("AxisOff", softmax_axis(True), softmax_axis(False), numerics="exact")


# The value of a pad is lost, or stays.
def pad_value(keeps):
    def rewrite(_, call):
        attrs = call.attrs
        value = float(attrs.pad_value) if keeps else 0.0
        return relax.op.nn.pad(call.args[0], list(attrs.pad_width), str(attrs.pad_mode), value)

    return calls("relax.nn.pad", rewrite)


plant("PadValueLost", pad_value(False), pad_value(True), numerics="exact")


# The epsilon of a normalisation is lost, or stays.
def epsilon(keeps):
    def rewrite(_, call):
        attrs = call.attrs
        value = float(attrs.epsilon) if keeps else 0.0
        if call.op.name == "relax.nn.rms_norm":
            return relax.op.nn.rms_norm(*call.args, list(attrs.axes), value)
        return relax.op.nn.layer_norm(*call.args, list(attrs.axes), value, bool(attrs.center), bool(attrs.scale))

    return calls({"relax.nn.rms_norm", "relax.nn.layer_norm"}, rewrite)


plant("EpsilonLost", epsilon(False), epsilon(True), numerics="reassociated")


# A cumulative sum includes the element itself, though it is exclusive.
def cumsum(keeps):
    def rewrite(_, call):
        attrs = call.attrs
        axis = None if attrs.axis is None else int(attrs.axis)
        return relax.op.cumsum(call.args[0], axis, dtype_of(call), bool(attrs.exclusive) and keeps)

    return calls("relax.cumsum", rewrite)


plant("ExclusiveLost", cumsum(False), cumsum(True), numerics="exact")


# Paddings of a convolution's two ends change places.
def conv(keeps):
    def rewrite(_, call):
        attrs = call.attrs
        padding = list(attrs.padding)
        dtype = str(attrs.out_dtype)
        return relax.op.nn.conv2d(*call.args, list(attrs.strides), padding if keeps else padding[2:] + padding[:2], list(attrs.dilation),
                                  int(attrs.groups), str(attrs.data_layout), str(attrs.kernel_layout), str(attrs.out_layout),
                                  None if dtype in ("", "void", "None") else attrs.out_dtype)

    return calls("relax.nn.conv2d", rewrite)


plant("PaddingEndsSwapped", conv(False), conv(True), numerics="reassociated")


# Attributes of the module are lost, and public functions become private.
def module_attributes(drops):
    @tvm.transform.module_pass(opt_level=0)
    def apply(module, _):
        return tvm.IRModule(dict(module.functions_items()), attrs=None if drops else module.attrs, global_infos=module.global_infos)

    return apply


plant("ModuleAttributesLost", module_attributes(True), module_attributes(False), numerics="exact")
plant("PublicMadePrivate", drop_attribute(lambda name, function: name == "global_symbol"), drop_attribute(lambda *_: False), numerics="exact")


# The mode of a take is lost, or stays.
def take_mode(keeps):
    def rewrite(_, call):
        axis = None if call.attrs.axis is None else int(call.attrs.axis)
        return relax.op.take(*call.args, axis, str(call.attrs.mode) if keeps else "fast")

    return calls("relax.take", rewrite)


plant("TakeModeLost", take_mode(False), take_mode(True), numerics="exact")


# What is sorted downwards is sorted upwards, or stays.
def sort_order(keeps):
    def rewrite(_, call):
        attrs = call.attrs
        descending = bool(attrs.descending) and keeps
        if call.op.name == "relax.argsort":
            return relax.op.argsort(call.args[0], int(attrs.axis), descending, dtype_of(call))
        return relax.op.sort(call.args[0], int(attrs.axis), descending)

    return calls({"relax.sort", "relax.argsort"}, rewrite)


plant("DescendingLost", sort_order(False), sort_order(True), numerics="exact")


# An average pool counts its padding, or as it did.
def average_pool(flips):
    def rewrite(_, call):
        attrs = call.attrs
        lists = [list(getattr(attrs, name)) for name in ("pool_size", "strides", "padding", "dilation")]
        return relax.op.nn.avg_pool2d(call.args[0], *lists, bool(attrs.ceil_mode), bool(attrs.count_include_pad) != flips,
                                      str(attrs.layout), str(attrs.out_layout))

    return calls("relax.nn.avg_pool2d", rewrite)


plant("PaddingCounted", average_pool(True), average_pool(False), numerics="reassociated")


# A reduction goes along the next axis, where that is as long; or its axis is counted from the other end.
def reduced_axis(step):
    def rewrite(rewriter, call):
        n = rank(call.args[0])
        if call.attrs.axis is None or n < 2:
            return None
        axes = [int(axis) % n for axis in call.attrs.axis]
        moved = [(axis + 1) % n for axis in axes] if step else [axis - n for axis in axes]
        name = call.op.name.removeprefix("relax.")
        result = rewriter.builder_.normalize(getattr(relax.op, name)(call.args[0], moved, bool(call.attrs.keepdims)))
        return result if same_type(result, call) else None

    return calls({"relax.sum", "relax.max", "relax.prod"}, rewrite)


plant("ReducedAxisOff", reduced_axis(True), reduced_axis(False), numerics="exact")


# The slope of a leaky relu becomes the default, or stays.
def slope(keeps):
    return calls("relax.nn.leakyrelu", lambda _, call: relax.op.nn.leakyrelu(call.args[0], float(call.attrs.alpha) if keeps else 0.01))


plant("SlopeLost", slope(False), slope(True), numerics="exact")


# The scale of an attention becomes the default, or stays.
def attention_scale(keeps):
    def rewrite(_, call):
        attrs = call.attrs
        bias = call.args[3] if len(call.args) > 3 else None
        mask = None if attrs.causal_mask is None else str(attrs.causal_mask)
        return relax.op.nn.attention(*call.args[:3], bias, attrs.scale if keeps else None, mask, attrs.window_size)

    return calls({"relax.nn.attention", "relax.nn.attention_bias"}, rewrite)


plant("AttentionScaleLost", attention_scale(False), attention_scale(True), numerics="reassociated")


# The least elements are taken for the largest ones, or stay.
def topk_order(keeps):
    def rewrite(_, call):
        attrs = call.attrs
        return relax.op.topk(call.args[0], int(attrs.k), int(attrs.axis), str(attrs.ret_type), bool(attrs.largest) or not keeps,
                             str(attrs.dtype))

    return calls("relax.topk", rewrite)


plant("SmallestLost", topk_order(False), topk_order(True), numerics="exact")


# What is scattered replaces elements that it should be added to, or is combined with them.
def scatter_reduction(keeps):
    def rewrite(_, call):
        reduction = str(call.attrs.reduction) if keeps else "update"
        return relax.op.scatter_elements(*call.args, int(call.attrs.axis), reduction)

    return calls("relax.scatter_elements", rewrite)


plant("ReductionLost", scatter_reduction(False), scatter_reduction(True), numerics="exact")


# Values are copied to the module's next device, or to their own.
def moved_to(step):
    def rewrite(rewriter, call):
        devices = list(rewriter.builder_.get().global_infos["vdevice"])
        at = next(i for i, device in enumerate(devices) if tvm_ffi.structural_equal(device, call.attrs.dst_vdevice))
        return relax.op.to_vdevice(call.args[0], devices[(at + step) % len(devices)])

    return calls("relax.to_vdevice", rewrite)


plant("DeviceSwapped", moved_to(1), moved_to(0), numerics="exact")
