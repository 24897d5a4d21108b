"""Faults in functions of TensorIR, as LegalizeOps makes them."""

import tvm
from planting import functions, plant, plant_lowered
from tvm import s_tir, tirx


# The start of a reduction is forgotten, or stays.
def without_init(drops):
    def change(block):
        if type(block).__name__ != "SBlock" or block.init is None:
            return None
        return s_tir.SBlock(block.iter_vars, block.reads, block.writes, block.name_hint, block.body, None if drops else block.init,
                            block.alloc_buffers, block.match_buffers, block.annotations)

    return change


plant_lowered("InitMissing", without_init(True), without_init(False))


# Elements of float16 are half as large again, or as they were.
def scaled(factor):
    def change(stmt):
        if type(stmt).__name__ != "BufferStore" or str(stmt.buffer.dtype) != "float16":
            return None
        return tirx.BufferStore(stmt.buffer, stmt.value * tvm.tirx.const(factor, "float16"), stmt.indices)

    return change


plant_lowered("HalfScaled", scaled(1.5), scaled(1.0))


# The last iteration of loops is lost, or stays.
def shorter(by):
    def change(stmt):
        if type(stmt).__name__ != "For" or by == 0 or type(stmt.body).__name__ == "For":
            return None
        return tirx.For(stmt.loop_var, stmt.min, stmt.extent - by, stmt.kind, stmt.body, stmt.thread_binding, stmt.annotations)

    return change


plant_lowered("LastIterationLost", shorter(1), shorter(0))


# Blocks do not declare all that they read, or declare more. No machine shows it, and TVM's checker looks past it, but its analysis of accesses
# does not; passes that move and shrink buffers rely on it.
def reads(change_region):
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
    buffers = [one.source if hasattr(one, "source") else one.buffer for one in regions]
    return [tirx.BufferRegion(buffer, [tvm.ir.Range.from_min_extent(0, size) for size in buffer.shape]) for buffer in buffers]


plant_lowered("ReadsTooSmall", reads(one_less), reads(whole_buffers))


# A reduction starts from zero, whatever it reduces by.
def start_values(value_of):
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
    def change(stmt):
        if type(stmt).__name__ != "BufferStore" or not stmt.indices:
            return None
        return tirx.BufferStore(stmt.buffer, stmt.value, [*stmt.indices[:-1], stmt.indices[-1] + further])

    return change


plant_lowered("StoreOffByOne", stored(1), stored(0))


# Elements of float32 go through float16, or through float64.
def stored_through(dtype):
    def change(stmt):
        if type(stmt).__name__ != "BufferStore" or str(stmt.buffer.dtype) != "float32":
            return None
        return tirx.BufferStore(stmt.buffer, tirx.Cast("float32", tirx.Cast(dtype, stmt.value)), stmt.indices)

    return change


plant_lowered("StoresThroughHalf", stored_through("float16"), stored_through("float64"))


# Divisions and remainders of integers round towards zero, or down as they did.
def divided(towards_zero):
    def change(stmt):
        kind = type(stmt.value).__name__ if type(stmt).__name__ == "BufferStore" else ""
        if kind not in ("FloorDiv", "FloorMod"):
            return None
        op = (tirx.truncdiv if towards_zero else tirx.floordiv) if kind == "FloorDiv" else tirx.truncmod if towards_zero else tirx.floormod
        return tirx.BufferStore(stmt.buffer, op(stmt.value.a, stmt.value.b), stmt.indices)

    return change


plant_lowered("DivisionTruncated", divided(True), divided(False))


# Loops around blocks are tiled by four: the last tile is lost if it is not whole, or guarded.
def tiled(loses):
    def change(stmt):
        around = type(stmt).__name__ == "For" and type(stmt.body).__name__ == "SBlockRealize"
        if not around or type(stmt.extent).__name__ != "IntImm" or int(stmt.extent) < 2:
            return None
        dtype, extent = str(stmt.loop_var.ty.dtype), int(stmt.extent)
        zero, four = tirx.const(0, dtype), tirx.const(4, dtype)
        outer, inner = tirx.Var(stmt.loop_var.name + "_o", dtype), tirx.Var(stmt.loop_var.name + "_i", dtype)
        realize = stmt.body
        guard = realize.predicate if loses else tirx.all(realize.predicate, stmt.loop_var < stmt.min + stmt.extent)
        place = tirx.Bind(stmt.loop_var, stmt.min + outer * four + inner)
        body = tirx.SeqStmt([place, s_tir.SBlockRealize(realize.iter_values, guard, realize.block)])
        tiles = extent // 4 if loses else -(-extent // 4)
        return tirx.For(outer, zero, tirx.const(tiles, dtype), stmt.kind, tirx.For(inner, zero, four, stmt.kind, body))

    return change


plant_lowered("LastTileLost", tiled(True), tiled(False))


# What a condition guards is read wherever it is true or not, or the arms change places and the condition is negated.
def unguarded(drops):
    def change(stmt):
        value = stmt.value if type(stmt).__name__ == "BufferStore" else None
        if type(value).__name__ != "Call" or getattr(value.op, "name", "") != "prim.if_then_else":
            return None
        condition, held, other = value.args
        return tirx.BufferStore(stmt.buffer, held if drops else tirx.if_then_else(tirx.Not(condition), other, held), stmt.indices)

    return change


plant_lowered("GuardDropped", unguarded(True), unguarded(False))


# A parallel loop is one over an axis of reduction, or of space.
def parallel(reductions):
    def change(stmt):
        if type(stmt).__name__ != "For" or type(stmt.body).__name__ != "SBlockRealize":
            return None
        axes = [axis.iter_type for axis, value in zip(stmt.body.block.iter_vars, stmt.body.iter_values) if value.same_as(stmt.loop_var)]
        if axes != [2 if reductions else 0]:
            return None
        return tirx.For(stmt.loop_var, stmt.min, stmt.extent, tirx.ForKind.PARALLEL, stmt.body)

    return change


plant_lowered("ReductionParallel", parallel(True), parallel(False))


# Loops around blocks are tiled by four, and nothing holds the last tile to the buffer; or a guard does.
def tiled_unguarded(guards):
    def change(stmt):
        around = type(stmt).__name__ == "For" and type(stmt.body).__name__ == "SBlockRealize"
        if not around or type(stmt.extent).__name__ != "IntImm":
            return None
        dtype, realize = str(stmt.loop_var.ty.dtype), stmt.body
        zero, four = tirx.const(0, dtype), tirx.const(4, dtype)
        outer, inner = tirx.Var(stmt.loop_var.name + "_o", dtype), tirx.Var(stmt.loop_var.name + "_i", dtype)
        guard = tirx.all(realize.predicate, stmt.loop_var < stmt.min + stmt.extent) if guards else realize.predicate
        place = tirx.Bind(stmt.loop_var, stmt.min + outer * four + inner)
        body = tirx.SeqStmt([place, s_tir.SBlockRealize(realize.iter_values, guard, realize.block)])
        tiles = tirx.const(-(-int(stmt.extent) // 4), dtype)
        return tirx.For(outer, zero, tiles, stmt.kind, tirx.For(inner, zero, four, stmt.kind, body))

    return change


plant_lowered("PredicateLost", tiled_unguarded(False), tiled_unguarded(True))


# Loops run once more than they should, or as often.
def longer(by):
    def change(stmt):
        if type(stmt).__name__ != "For" or type(stmt.body).__name__ == "For":
            return None
        return tirx.For(stmt.loop_var, stmt.min, stmt.extent + by, stmt.kind, stmt.body, stmt.thread_binding, stmt.annotations)

    return change


plant_lowered("LoopTooLong", longer(1), longer(0))


# An axis of reduction is one of space, or stays one of reduction.
def axis_types(spoils):
    def change(block):
        if type(block).__name__ != "SBlock" or block.init is None:
            return None
        axes = [tirx.IterVar(axis.dom, axis.var, 0 if spoils else axis.iter_type, axis.thread_tag) for axis in block.iter_vars]
        return s_tir.SBlock(axes, block.reads, block.writes, block.name_hint, block.body, block.init, block.alloc_buffers,
                            block.match_buffers, block.annotations)

    return change


plant_lowered("AxisTypeWrong", axis_types(True), axis_types(False))


# What an intrinsic is given goes through float16, or through float64.
def intrinsic_of(dtype):
    def change(stmt):
        value = stmt.value if type(stmt).__name__ == "BufferStore" and str(stmt.buffer.dtype) == "float32" else None
        short = getattr(value.op, "name", "").rpartition(".")[2] if type(value).__name__ == "Call" else ""
        if short not in ("exp", "tanh", "sqrt", "sin", "cos", "log", "erf", "sigmoid"):
            return None
        return tirx.BufferStore(stmt.buffer, getattr(tirx, short)(tirx.Cast("float32", tirx.Cast(dtype, value.args[0]))), stmt.indices)

    return change


plant_lowered("IntrinsicOfHalf", intrinsic_of("float16"), intrinsic_of("float64"))


# The larger number is the smaller one; or the larger of two integers is selected by a comparison, which no NaN tells apart.
def extremes(swaps):
    def change(stmt):
        value = stmt.value if type(stmt).__name__ == "BufferStore" else None
        kind = type(value).__name__
        if kind not in ("Max", "Min"):
            return None
        if not swaps:
            return tirx.BufferStore(stmt.buffer, tirx.Select(value.a > value.b, value.a, value.b), stmt.indices) \
                if kind == "Max" and "int" in str(stmt.buffer.dtype) else None
        return tirx.BufferStore(stmt.buffer, (tirx.Min if kind == "Max" else tirx.Max)(value.a, value.b), stmt.indices)

    return change


plant_lowered("ExtremesSwapped", extremes(True), extremes(False))
