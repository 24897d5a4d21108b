"""Holds what a block of TensorIR declares against what TVM's own analysis makes of it."""

import tvm


def belied(mod, function, name, buffer):
    """What the block declares of its variables, or of the buffer, and TVM cannot prove; None if it can."""
    schedule = tvm.s_tir.Schedule(mod)
    handle, root = schedule.get_sblock(name, function), schedule.get_sblock("root", function)
    realize = tvm.get_global_func("s_tir.schedule.GetSBlockRealize")(schedule, handle)
    block, analyzer = realize.block, tvm.sym.Analyzer()
    for loop in map(schedule.get, schedule.get_loops(handle)):
        analyzer.bind(loop.loop_var, tvm.ir.Range.from_min_extent(loop.min, loop.extent))
    if not buffer:
        for axis, value in zip(block.iter_vars, realize.iter_values):
            end = axis.dom.min + axis.dom.extent
            if not (analyzer.can_prove(axis.dom.min <= value) and analyzer.can_prove(value < end)):
                return f"{axis.var} is {value}, but may only be from {axis.dom.min} to less than {end}"
        return None
    for axis in block.iter_vars:
        analyzer.bind(axis.var, axis.dom)
    outer = [schedule.get(one) for one in (root, *schedule.get_child_blocks(root))]
    buffers = [*mod[function].params, *(one for other in outer for one in other.alloc_buffers)]
    reads, writes, _ = tvm.s_tir.analysis.get_sblock_access_region(block, {one: one for one in buffers if isinstance(one, tvm.tirx.Buffer)})
    for declared, found in ((block.reads, reads), (block.writes, writes)):
        same = [one.region for one in declared if one.source.name == buffer]
        for region in (one for one in found if one.source.name == buffer):
            for axis, span in enumerate(region.region):
                starts = [analyzer.can_prove(one[axis].min <= span.min) for one in same]
                ends = [analyzer.can_prove(span.min + span.extent <= one[axis].min + one[axis].extent) for one in same]
                if not any(starts) or not any(ends):
                    return f"{region} is accessed, and of it are declared {[one for one in declared if one.source.name == buffer]}"
    return None
