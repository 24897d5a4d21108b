"""Faults in lowered modules: in the memory plan, and in calls of functions of TensorIR."""

import tvm
from planting import calls, functions, plant, same_type
from tvm import relax


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
