"""What the planted faults are made with: passes that rewrite calls, functions and statements of functions of TensorIR."""

import tvm
import tvm_ffi
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


def definition(rewriter, expr, *names):
    """The call of one of these ops that the variable is bound to, or None."""
    value = rewriter.lookup_binding(expr) if isinstance(expr, relax.Var) else None
    if not isinstance(value, relax.Call) or not isinstance(value.op, tvm.ir.Op) or value.op.name not in names:
        return None
    # What a dataflow block computes for itself is unknown behind it.
    hidden = not isinstance(expr, relax.DataflowVar) and any(isinstance(arg, relax.DataflowVar) for arg in value.args)
    return None if hidden else value


def is_tensor(expr):
    """Scalars have a dtype, too, and no rank."""
    return hasattr(type_of(expr), "ndim")


def rank(expr):
    return getattr(type_of(expr), "ndim", -1)


def same_type(a, b):
    return tvm_ffi.structural_equal(type_of(a), type_of(b))


def is_constant(expr):
    value = getattr(expr, "data", None) if hasattr(expr, "data") else getattr(expr, "value", None)
    return type(expr).__name__ in ("Constant", "GenericConst") and hasattr(value, "numpy")


def number_of(constant):
    return (constant.data if hasattr(constant, "data") else constant.value).numpy()


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
