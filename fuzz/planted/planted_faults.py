"""Realistic faults, each as a pass over TVM that makes just this mistake, and beside it a sound pass of the same kind.

`Fault<Name>` must be reported, `Sound<Name>` must not.
"""

import tvm
from passdiff_plugin import register
from tvm import relax


class Rewriter(relax.PyExprMutator):
    """Replaces the values of calls by what `rewrite(call)` makes of them; None keeps a call."""

    def __init__(self, module, rewrite):
        super().__init__(module)
        self.rewrite = rewrite

    def visit_call_(self, call):
        call = super().visit_call_(call)
        rewritten = self.rewrite(self, call) if isinstance(call.op, tvm.ir.Op) else None
        return call if rewritten is None else rewritten


Rewriter = relax.expr_functor.mutator(Rewriter)


def functions(change):
    """A pass that applies `change(module, name, function)` to each function."""

    @tvm.transform.module_pass(opt_level=0)
    def apply(module, _):
        result = tvm.IRModule(dict(module.functions_items()), attrs=module.attrs, global_infos=module.global_infos)
        for name, function in module.functions_items():
            result[name] = change(module, name, function)
        return result

    return apply


def calls(name, rewrite):
    """A pass that rewrites the calls of one op, or of several."""
    names = {name} if isinstance(name, str) else set(name)

    def rewrite_named(rewriter, call):
        return rewrite(rewriter, call) if call.op.name in names else None

    @tvm.transform.module_pass(opt_level=0)
    def apply(module, _):
        rewriter = Rewriter(module, rewrite_named)
        for variable, function in module.functions_items():
            if isinstance(function, relax.Function):
                rewriter.builder_.update_func(variable, rewriter.visit_expr(function))
        return rewriter.builder_.get()

    return apply


def plant(name, faulty, sound, **contract):
    register("Fault" + name, faulty, **contract)
    register("Sound" + name, sound, **contract)


def type_of(expr):
    return expr.ty if hasattr(expr, "ty") else expr.struct_info


def dtype_of(expr):
    return str(getattr(type_of(expr), "dtype", ""))


def constant(number, dtype):
    return relax.const(number, dtype)


# A matmul in float16, or in float64.
def matmul_in(dtype):
    def rewrite(rewriter, call):
        if dtype_of(call) != "float32" or any(dtype_of(arg) != "float32" for arg in call.args):
            return None
        a, b = (rewriter.builder_.emit(relax.op.astype(arg, dtype)) for arg in call.args)
        product = rewriter.builder_.emit(relax.op.matmul(a, b))
        return relax.op.astype(product, "float32")

    return calls("relax.matmul", rewrite)


plant("MatmulInFloat16", matmul_in("float16"), matmul_in("float64"), numerics="reassociated")


# A cast to a narrower dtype and back is dropped, or one to a wider dtype.
def drop_casts(through):
    def rewrite(rewriter, call):
        inner = call.args[0]
        value = rewriter.lookup_binding(inner) if isinstance(inner, relax.Var) else None
        if not isinstance(value, relax.Call) or value.op != call.op or dtype_of(inner) not in through:
            return None
        before = value.args[0]
        return before if dtype_of(before) == dtype_of(call) == "float32" else None

    return calls("relax.astype", rewrite)


plant("CastDropped", drop_casts({"float16", "bfloat16"}), drop_casts({"float64"}), numerics="reassociated")


# Activations that are off by a hundred units in the last place, or by none.
def scale_activations(factor):
    def rewrite(rewriter, call):
        if dtype_of(call) != "float32":
            return None
        return relax.op.multiply(rewriter.builder_.emit(call), constant(factor, "float32"))

    names = ("exp", "sigmoid", "tanh", "nn.relu", "nn.gelu", "nn.silu", "nn.softmax", "erf")
    return calls({"relax." + name for name in names}, rewrite)


plant("ActivationOff", scale_activations(1 + 100 * 2.0**-23), scale_activations(1.0), numerics="reassociated")


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


# The branches of an If change places, or the condition with them.
class BranchSwapper(relax.PyExprMutator):
    def __init__(self, module, negates):
        super().__init__(module)
        self.negates = negates

    def visit_if_(self, branches):
        branches = super().visit_if_(branches)
        condition = branches.cond
        if self.negates:
            condition = self.builder_.emit(relax.op.logical_not(condition))
        return relax.If(condition, branches.false_branch, branches.true_branch)


BranchSwapper = relax.expr_functor.mutator(BranchSwapper)


def swap_branches(negates):
    @tvm.transform.module_pass(opt_level=0)
    def apply(module, _):
        rewriter = BranchSwapper(module, negates)
        for variable, function in module.functions_items():
            if isinstance(function, relax.Function):
                rewriter.builder_.update_func(variable, rewriter.visit_expr(function))
        return rewriter.builder_.get()

    return apply


plant("BranchesSwapped", swap_branches(False), swap_branches(True), numerics="exact")


# A matmul accumulates in the dtype of its operands, or of its result.
def accumulate(wide):
    def rewrite(rewriter, call):
        result = dtype_of(call)
        operands = {dtype_of(arg) for arg in call.args}
        if result not in ("float32", "float64") or result in operands or len(operands) != 1:
            return None
        if not operands <= {"float16", "float32", "bfloat16"}:
            return None
        if not wide:
            return relax.op.astype(rewriter.builder_.emit(relax.op.matmul(*call.args)), result)
        a, b = (rewriter.builder_.emit(relax.op.astype(arg, result)) for arg in call.args)
        return relax.op.matmul(a, b)

    return calls("relax.matmul", rewrite)


plant("AccumulationDropped", accumulate(False), accumulate(True), numerics="reassociated")


def rank(expr):
    return getattr(type_of(expr), "ndim", -1)


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


# A print is dropped, or stays.
plant("PrintDropped", calls("relax.print", lambda *_: relax.Tuple([])), calls("relax.print", lambda *_: None), numerics="exact")


# Sums in float16, or in float64.
def sum_in(dtype):
    def rewrite(rewriter, call):
        if dtype_of(call) != "float32" or dtype_of(call.args[0]) != "float32":
            return None
        narrow = rewriter.builder_.emit(relax.op.astype(call.args[0], dtype))
        return relax.op.astype(rewriter.builder_.emit(relax.Call(call.op, [narrow], call.attrs)), "float32")

    return calls({"relax.sum", "relax.mean"}, rewrite)


plant("SumInFloat16", sum_in("float16"), sum_in("float64"), numerics="reassociated")


# Constants keep as many digits as were printed of them.
def is_constant(expr):
    value = getattr(expr, "data", None) if hasattr(expr, "data") else getattr(expr, "value", None)
    return type(expr).__name__ in ("Constant", "GenericConst") and hasattr(value, "numpy")


def number_of(constant):
    return (constant.data if hasattr(constant, "data") else constant.value).numpy()


def printed(digits):
    import numpy as np

    @relax.expr_functor.mutator
    class Printer(relax.PyExprMutator):
        def visit_constant_(self, constant):
            if not is_constant(constant) or dtype_of(constant) != "float32":
                return constant
            data = number_of(constant)
            numbers = [float(f"{value:.{digits}g}") for value in data.reshape(-1)]
            return relax.const(np.array(numbers, "float32").reshape(data.shape), "float32")

        visit_generic_const_ = visit_constant_

    return functions(lambda module, _, function: Printer(module).visit_expr(function) if isinstance(function, relax.Function) else function)


plant("ConstantsPrinted", printed(6), printed(9), numerics="exact")


# A softmax of which the largest element was not subtracted, and a sigmoid as a quotient of exponentials: they overflow where arguments are large.
def softmax(naive):
    def rewrite(rewriter, call):
        if dtype_of(call) != "float32":
            return None
        emit, axis, x = rewriter.builder_.emit, int(call.attrs.axis), call.args[0]
        if not naive:
            x = emit(relax.op.subtract(x, emit(relax.op.max(x, axis, True))))
        powers = emit(relax.op.exp(x))
        return relax.op.divide(powers, emit(relax.op.sum(powers, axis, True)))

    return calls("relax.nn.softmax", rewrite)


def sigmoid(naive):
    def rewrite(rewriter, call):
        if dtype_of(call) != "float32":
            return None
        emit, x, one = rewriter.builder_.emit, call.args[0], constant(1.0, "float32")
        power = emit(relax.op.exp(x if naive else emit(relax.op.negative(x))))
        return relax.op.divide(power if naive else one, emit(relax.op.add(power, one)))

    return calls("relax.sigmoid", rewrite)


plant("SoftmaxNaive", softmax(True), softmax(False), numerics="reassociated")
plant("SigmoidNaive", sigmoid(True), sigmoid(False), numerics="reassociated")


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


# The operands of ops change places where types agree: of ops that do not commute, or of ops that do.
def same_type(a, b):
    import tvm_ffi

    return tvm_ffi.structural_equal(type_of(a), type_of(b))


def swapped(names):
    def rewrite(_, call):
        a, b = call.args
        return relax.Call(call.op, [b, a], call.attrs) if same_type(a, b) else None

    return calls({"relax." + name for name in names}, rewrite)


plant("OperandsSwapped", swapped(["subtract", "less", "power"]), swapped(["add", "multiply", "equal"]), numerics="exact")


# x - x is taken for zero, which it is not for infinities and NaN; or of integers alone.
def self_difference(floats):
    def rewrite(_, call):
        a, b = call.args
        if not isinstance(a, relax.Var) or not a.same_as(b) or type_of(call).shape is None or ("float" in dtype_of(a)) != floats:
            return None
        return relax.op.zeros(type_of(call).shape, dtype_of(call))

    return calls("relax.subtract", rewrite)


plant("SelfDifferenceZero", self_difference(True), self_difference(False), numerics="exact")


# The item of a tuple is the next one, where it has the same type.
def tuple_items(next_one):
    @relax.expr_functor.mutator
    class Taker(relax.PyExprMutator):
        def visit_tuple_getitem_(self, item):
            item = super().visit_tuple_getitem_(item)
            import tvm_ffi

            fields = list(type_of(item.tuple_value).fields)
            other = (item.index + 1) % len(fields)
            taken = next_one and tvm_ffi.structural_equal(fields[other], fields[item.index])
            return relax.TupleGetItem(item.tuple_value, other) if taken else item

    return functions(lambda module, _, function: Taker(module).visit_expr(function) if isinstance(function, relax.Function) else function)


plant("TupleItemOff", tuple_items(True), tuple_items(False), numerics="exact")


# A print is doubled, and an assertion that holds is dropped.
def doubled(doubles):
    def rewrite(rewriter, call):
        if doubles:
            rewriter.builder_.emit(call)
        return call if doubles else None

    return calls("relax.print", rewrite)


plant("PrintDoubled", doubled(True), doubled(False), numerics="exact")
plant("AssertDropped", calls("relax.assert_op", lambda *_: relax.Tuple([])), calls("relax.assert_op", lambda *_: None), numerics="exact")


# Attributes of the module are lost, and public functions become private.
def module_attributes(drops):
    @tvm.transform.module_pass(opt_level=0)
    def apply(module, _):
        return tvm.IRModule(dict(module.functions_items()), attrs=None if drops else module.attrs, global_infos=module.global_infos)

    return apply


plant("ModuleAttributesLost", module_attributes(True), module_attributes(False), numerics="exact")
plant("PublicMadePrivate", drop_attribute(lambda name, function: name == "global_symbol"), drop_attribute(lambda *_: False), numerics="exact")


# Faults in lowered modules, which are interpreted: in functions of TensorIR, as LegalizeOps makes them, and in the memory plan.
def statements(change):
    """A pass that replaces statements of functions of TensorIR by what `change(statement)` makes of them; None keeps one."""
    from tvm import s_tir, tirx

    def rebuilt(stmt):
        changed = change(stmt)
        if changed is not None:
            return changed
        kind = type(stmt).__name__
        if kind == "For":
            return tirx.For(stmt.loop_var, stmt.min, stmt.extent, stmt.kind, rebuilt(stmt.body), stmt.thread_binding, stmt.annotations)
        if kind == "SeqStmt":
            return tirx.SeqStmt([rebuilt(one) for one in stmt.seq])
        if kind == "SBlockRealize":
            block = stmt.block
            changed = change(block)
            block = block if changed is None else changed
            block = s_tir.SBlock(block.iter_vars, block.reads, block.writes, block.name_hint, rebuilt(block.body), block.init,
                                 block.alloc_buffers, block.match_buffers, block.annotations)
            return s_tir.SBlockRealize(stmt.iter_values, stmt.predicate, block)
        return stmt

    def function(_, __, function):
        return function.with_body(rebuilt(function.body)) if isinstance(function, tirx.PrimFunc) else function

    return functions(function)


def plant_lowered(name, faulty, sound):
    plant(name, statements(faulty), statements(sound), level="legalised", needs=["LegalizeOps"])


# The start of a reduction is forgotten, or stays.
def without_init(drops):
    from tvm import s_tir

    def change(block):
        if type(block).__name__ != "SBlock" or block.init is None:
            return None
        return s_tir.SBlock(block.iter_vars, block.reads, block.writes, block.name_hint, block.body, None if drops else block.init,
                            block.alloc_buffers, block.match_buffers, block.annotations)

    return change


plant_lowered("InitMissing", without_init(True), without_init(False))


# Elements of float16 are half as large again, or as they were.
def scaled(factor):
    from tvm import tirx

    def change(stmt):
        if type(stmt).__name__ != "BufferStore" or str(stmt.buffer.dtype) != "float16":
            return None
        return tirx.BufferStore(stmt.buffer, stmt.value * tvm.tirx.const(factor, "float16"), stmt.indices)

    return change


plant_lowered("HalfScaled", scaled(1.5), scaled(1.0))


# The last iteration of loops is lost, or stays.
def shorter(by):
    from tvm import tirx

    def change(stmt):
        if type(stmt).__name__ != "For" or by == 0 or type(stmt.body).__name__ == "For":
            return None
        return tirx.For(stmt.loop_var, stmt.min, stmt.extent - by, stmt.kind, stmt.body, stmt.thread_binding, stmt.annotations)

    return change


plant_lowered("LastIterationLost", shorter(1), shorter(0))


# Two tensors that live at once share a storage, or have their own.
def sharing(shares):
    @relax.expr_functor.mutator
    class Sharing(relax.PyExprMutator):
        first = None

        def visit_call_(self, call):
            call = super().visit_call_(call)
            if not shares or not isinstance(call.op, tvm.ir.Op) or call.op.name != "relax.memory.alloc_tensor":
                return call
            if Sharing.first is None:
                Sharing.first = call.args[0]
                return call
            return relax.Call(call.op, [Sharing.first, *call.args[1:]], call.attrs, call.ty_args)

    def change(module, _, function):
        if not isinstance(function, relax.Function):
            return function
        Sharing.first = None
        return Sharing(module).visit_expr(function)

    return functions(change)


PLANNED = ["LegalizeOps", "ToNonDataflow", "RemovePurityChecking", "CallTIRRewrite", "StaticPlanBlockMemory"]
plant("StorageShared", sharing(True), sharing(False), level="lowered", needs=PLANNED)


# A tensor or a storage is given up before its last use, or later than it could be.
def moved_kill(earlier):
    kills = {"relax.memory.kill_tensor", "relax.memory.kill_storage"}

    def mentions(binding, variable):
        return any(one.same_as(variable) for one in relax.analysis.all_vars(binding.value))

    def moved(bindings):
        for at, binding in enumerate(bindings):
            value = binding.value
            if not isinstance(value, relax.Call) or not isinstance(value.op, tvm.ir.Op) or value.op.name not in kills:
                continue
            rest = bindings[:at] + bindings[at + 1:]
            if not earlier:
                return rest[:at + 1] + [binding] + rest[at + 1:]
            last = max((i for i, other in enumerate(rest[:at]) if mentions(other, value.args[0])), default=-1)
            if last > 0:
                return rest[:last] + [binding] + rest[last:]
        return bindings

    @relax.expr_functor.mutator
    class Mover(relax.PyExprMutator):
        def visit_binding_block_(self, block):
            return super().visit_binding_block_(relax.BindingBlock(moved(list(block.bindings))))

    return functions(lambda module, _, function: Mover(module).visit_expr(function) if isinstance(function, relax.Function) else function)


plant("KillTooEarly", moved_kill(True), moved_kill(False), level="lowered", needs=[*PLANNED, "LowerAllocTensor", "KillAfterLastUse"])


# Blocks do not declare all that they read, or declare more. No machine shows it, and TVM's checker looks past it; passes that move and shrink
# buffers rely on it.
def reads(change_region):
    from tvm import s_tir

    def change(block):
        if type(block).__name__ != "SBlock" or not block.reads or not block.iter_vars:
            return None
        regions = change_region(list(block.reads))
        return s_tir.SBlock(block.iter_vars, regions, block.writes, block.name_hint, block.body, block.init, block.alloc_buffers,
                            block.match_buffers, block.annotations)

    return change


def one_less(regions):
    return regions[:-1]


def whole_buffers(regions):
    from tvm import tirx

    buffers = [one.source if hasattr(one, "source") else one.buffer for one in regions]
    return [tirx.BufferRegion(buffer, [tvm.ir.Range.from_min_extent(0, size) for size in buffer.shape]) for buffer in buffers]


plant_lowered("ReadsTooSmall", reads(one_less), reads(whole_buffers))


# A reduction starts from zero, whatever it reduces by.
def start_values(value_of):
    from tvm import s_tir, tirx

    def change(block):
        if type(block).__name__ != "SBlock" or block.init is None or type(block.init).__name__ != "BufferStore":
            return None
        init = tirx.BufferStore(block.init.buffer, value_of(block.init), block.init.indices)
        return s_tir.SBlock(block.iter_vars, block.reads, block.writes, block.name_hint, block.body, init, block.alloc_buffers,
                            block.match_buffers, block.annotations)

    return change


def zero_of(store):
    return tvm.tirx.const(0, str(store.buffer.dtype))


plant_lowered("StartIsZero", start_values(zero_of), start_values(lambda store: store.value))


# Elements are stored one further along the last axis.
def stored(further):
    from tvm import tirx

    def change(stmt):
        if type(stmt).__name__ != "BufferStore" or not stmt.indices:
            return None
        return tirx.BufferStore(stmt.buffer, stmt.value, [*stmt.indices[:-1], stmt.indices[-1] + further])

    return change


plant_lowered("StoreOffByOne", stored(1), stored(0))


# Elements of float32 go through float16, or through float64.
def stored_through(dtype):
    from tvm import tirx

    def change(stmt):
        if type(stmt).__name__ != "BufferStore" or str(stmt.buffer.dtype) != "float32":
            return None
        return tirx.BufferStore(stmt.buffer, tirx.Cast("float32", tirx.Cast(dtype, stmt.value)), stmt.indices)

    return change


plant_lowered("StoresThroughHalf", stored_through("float16"), stored_through("float64"))


# Storages are half as large as they need be, or twice.
def sized(halves):
    def rewrite(_, call):
        from tvm import tirx

        if not isinstance(call.args[0], relax.ShapeExpr):
            return None
        two = tirx.const(2, "int64")
        sizes = [tirx.floordiv(size, two) if halves else size * two for size in call.args[0].values]
        return relax.Call(call.op, [relax.ShapeExpr(sizes), *call.args[1:]], call.attrs, call.ty_args)

    return calls("relax.memory.alloc_storage", rewrite)


plant("StorageTooSmall", sized(True), sized(False), level="lowered", needs=PLANNED)


# The first two arguments of calls change places where their types agree.
def tir_arguments(swaps):
    def rewrite(_, call):
        args = call.args[1]
        if not swaps or not isinstance(args, relax.Tuple) or len(args.fields) < 2 or not same_type(*args.fields[:2]):
            return None
        first, second, *rest = args.fields
        return relax.Call(call.op, [call.args[0], relax.Tuple([second, first, *rest]), *call.args[2:]], call.attrs, call.ty_args)

    return calls("relax.call_tir", rewrite)


plant("TirArgumentsSwapped", tir_arguments(True), tir_arguments(False), level="legalised", needs=["LegalizeOps"])
