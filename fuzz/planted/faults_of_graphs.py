"""Faults that compute something else, or do something else."""

import numpy as np
import tvm
import tvm_ffi
from planting import calls, constant, definition, dtype_of, functions, is_constant, is_tensor, number_of, plant, rank, same_type, type_of
from tvm import relax


# The branches of an If change places, or the condition with them.
class BranchSwapper(relax.PyExprMutator):
    def __init__(self, module, negates):
        super().__init__(module)
        self.negates = negates

    def visit_if_(self, branches):
        branches = super().visit_if_(branches)
        condition = branches.cond
        if self.negates:
            if not is_tensor(condition):
                return branches
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


# A print is dropped, or stays.
plant("PrintDropped", calls("relax.print", lambda *_: relax.Tuple([])), calls("relax.print", lambda *_: None), numerics="exact")


# The operands of ops change places where types agree: of ops that do not commute, or of ops that do.
def swapped(names):
    def rewrite(_, call):
        a, b = call.args
        return relax.Call(call.op, [b, a], call.attrs) if same_type(a, b) else None

    return calls({"relax." + name for name in names}, rewrite)


plant("OperandsSwapped", swapped(["subtract", "less", "power"]), swapped(["add", "multiply", "equal"]), numerics="exact")


# x - x is taken for zero, which it is not for infinities and NaN; or of integers alone. The zeros stay on the device of x.
def self_difference(floats):
    def rewrite(_, call):
        a, b = call.args
        if not isinstance(a, relax.Var) or not a.same_as(b) or type_of(call).shape is None or ("float" in dtype_of(a)) != floats:
            return None
        return relax.op.zeros_like(a)

    return calls("relax.subtract", rewrite)


plant("SelfDifferenceZero", self_difference(True), self_difference(False), numerics="exact")


# The item of a tuple is the next one, where it has the same type.
def tuple_items(next_one):
    @relax.expr_functor.mutator
    class Taker(relax.PyExprMutator):
        def visit_tuple_getitem_(self, item):
            item = super().visit_tuple_getitem_(item)
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


# An addition of zero is dropped, which makes a positive zero of a negative one; or a subtraction of it.
def without_zero(rewriter, call):
    x, zero = call.args
    is_zero = is_constant(zero) and not number_of(zero).any() and not np.signbit(number_of(zero)).any()
    return x if is_zero and dtype_of(call) == "float32" and same_type(x, call) else None


plant("ZeroNotAdded", calls("relax.add", without_zero), calls("relax.subtract", without_zero), numerics="exact")


# Two permutations become one, which is composed in the wrong order, or in the right one.
def composed(right):
    def rewrite(rewriter, call):
        inner = definition(rewriter, call.args[0], "relax.permute_dims")
        if inner is None or rank(call) < 2:
            return None
        n = rank(call)
        first, then = ([int(axis) % n for axis in one.attrs.axes] if one.attrs.axes is not None else list(reversed(range(n)))
                       for one in (inner, call))
        axes = [first[axis] for axis in then] if right else [then[axis] for axis in first]
        result = relax.op.permute_dims(inner.args[0], axes)
        return result if same_type(rewriter.builder_.normalize(result), call) else None

    return calls("relax.permute_dims", rewrite)


plant("PermutationsComposed", composed(False), composed(True), numerics="exact")


# A permutation becomes a reshape, though axes of several elements change places; or only where none do.
def reshaped(careless):
    def rewrite(_, call):
        shape = type_of(call.args[0]).shape
        # A size of 0 asks R.reshape for that of the operand's axis.
        if shape is None or any(type(size).__name__ != "IntImm" or int(size) == 0 for size in shape):
            return None
        n = len(shape)
        axes = list(reversed(range(n))) if call.attrs.axes is None else [int(axis) % n for axis in call.attrs.axes]
        long = [axis for axis in axes if int(shape[axis]) != 1]
        return relax.op.reshape(call.args[0], type_of(call).shape) if careless or long == sorted(long) else None

    return calls("relax.permute_dims", rewrite)


plant("PermutationReshaped", reshaped(True), reshaped(False), numerics="exact")


# Floats become integers by rounding down, or towards zero, as a cast does.
def truncated(op):
    def rewrite(rewriter, call):
        if "float" not in dtype_of(call.args[0]) or not dtype_of(call).startswith("int"):
            return None
        return relax.op.astype(rewriter.builder_.emit(op(call.args[0])), dtype_of(call))

    return calls("relax.astype", rewrite)


plant("CastRoundsDown", truncated(relax.op.floor), truncated(relax.op.trunc), numerics="exact")


# A difference times a factor is taken apart, and the factor forgotten in the second part.
def distributed(forgets):
    def rewrite(rewriter, call):
        sum_, factor = call.args
        inner = definition(rewriter, sum_, "relax.add", "relax.subtract")
        if inner is None or "float" not in dtype_of(call) or dtype_of(call) != dtype_of(sum_):
            return None
        a, b = inner.args
        left = rewriter.builder_.emit(relax.op.multiply(a, factor))
        right = b if forgets else rewriter.builder_.emit(relax.op.multiply(b, factor))
        result = rewriter.builder_.normalize(relax.Call(inner.op, [left, right], inner.attrs))
        return result if same_type(result, call) else None

    return calls("relax.multiply", rewrite)


plant("FactorForgotten", distributed(True), distributed(False), numerics="reassociated")


# A matmul forgets that its operand was transposed, where that is square; or transposes what it makes of the others.
def untransposed(forgets):
    def rewrite(rewriter, call):
        inner = definition(rewriter, call.args[1], "relax.permute_dims")
        if inner is None or rank(inner) != 2 or rank(call) != 2 or not same_type(inner.args[0], call.args[1]):
            return None
        if inner.attrs.axes is not None and [int(axis) % 2 for axis in inner.attrs.axes] != [1, 0]:
            return None
        if forgets:
            return relax.Call(call.op, [call.args[0], inner.args[0]], call.attrs)
        other = rewriter.builder_.emit(relax.op.permute_dims(call.args[0], [1, 0]))
        return relax.op.permute_dims(rewriter.builder_.emit(relax.Call(call.op, [inner.args[0], other], call.attrs)), [1, 0])

    return calls("relax.matmul", rewrite)


plant("TransposeForgotten", untransposed(True), untransposed(False), numerics="reassociated")


# Unsigned integers are compared as signed ones, or as wider ones.
def compared_as(dtypes):
    def rewrite(rewriter, call):
        dtype = dtypes.get(dtype_of(call.args[0]))
        if dtype is None or dtype_of(call.args[0]) != dtype_of(call.args[1]):
            return None
        return relax.Call(call.op, [rewriter.builder_.emit(relax.op.astype(arg, dtype)) for arg in call.args], call.attrs)

    names = ("less", "less_equal", "greater", "greater_equal")
    return calls({"relax." + name for name in names}, rewrite)


plant("UnsignedComparedAsSigned", compared_as({"uint8": "int8", "uint16": "int16", "uint32": "int32"}),
      compared_as({"uint8": "int16", "uint16": "int32", "uint32": "int64"}), numerics="exact")


# A second print comes before the first, or what lies between two prints does not move.
def swapped_prints(swaps):
    def is_print(binding):
        value = binding.value
        return isinstance(value, relax.Call) and isinstance(value.op, tvm.ir.Op) and value.op.name == "relax.print"

    @relax.expr_functor.mutator
    class Swapper(relax.PyExprMutator):
        def visit_binding_block_(self, block):
            bindings = list(block.bindings)
            prints = [at for at, binding in enumerate(bindings) if is_print(binding)]
            if swaps and len(prints) > 1:
                bindings.insert(prints[1], bindings.pop(prints[0]))
            return super().visit_binding_block_(relax.BindingBlock(bindings))

    return functions(lambda module, _, function: Swapper(module).visit_expr(function) if isinstance(function, relax.Function) else function)


plant("PrintsSwapped", swapped_prints(True), swapped_prints(False), numerics="exact")


# A call is taken for an earlier one of the same op with the same operands, whatever its attributes are; or only where these are equal.
def merged(careless):
    @relax.expr_functor.mutator
    class Merger(relax.PyExprMutator):
        def visit_binding_block_(self, block):
            seen, kept = [], []
            for binding in block.bindings:
                value = binding.value
                if not isinstance(value, relax.Call) or not isinstance(value.op, tvm.ir.Op) or not value.args or dtype_of(value) == "":
                    kept.append(binding)
                    continue
                same = next((variable for variable, call in seen if is_same(call, value)), None)
                if same is None:
                    seen.append((binding.var, value))
                kept.append(binding if same is None else relax.VarBinding(binding.var, same))
            made = relax.DataflowBlock(kept) if isinstance(block, relax.DataflowBlock) else relax.BindingBlock(kept)
            return super().visit_binding_block_(made)

        visit_dataflow_block_ = visit_binding_block_

    def is_same(one, other):
        if one.op != other.op or len(one.args) != len(other.args) or not same_type(one, other):
            return False
        if not all(isinstance(a, relax.Var) and a.same_as(b) for a, b in zip(one.args, other.args)):
            return False
        return careless or tvm_ffi.structural_equal(one.attrs, other.attrs)

    return functions(lambda module, _, function: Merger(module).visit_expr(function) if isinstance(function, relax.Function) else function)


plant("AttributesIgnored", merged(True), merged(False), numerics="exact")


# The bounds of a clip change places, or become a maximum and a minimum.
def clipped(swaps):
    def rewrite(_, call):
        return relax.op.clip(call.args[0], call.args[2], call.args[1]) if swaps else None

    return calls("relax.clip", rewrite)


plant("BoundsSwapped", clipped(True), clipped(False), numerics="exact")
