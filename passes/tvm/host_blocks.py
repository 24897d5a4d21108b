"""Holds what a block of TensorIR declares against what TVM itself makes of it. Repros repeat one of the functions."""

import tvm


def outside_of_domain(mod, function, name):
    """The variable of the block of which TVM cannot prove that it stays in its domain; None if there is none."""
    schedule, analyzer = tvm.s_tir.Schedule(mod), tvm.sym.Analyzer()
    handle = schedule.get_sblock(name, function)
    realize = tvm.get_global_func("s_tir.schedule.GetSBlockRealize")(schedule, handle)
    for loop in map(schedule.get, schedule.get_loops(handle)):
        analyzer.bind(loop.loop_var, tvm.ir.Range.from_min_extent(loop.min, loop.extent))
    for axis, value in zip(realize.block.iter_vars, realize.iter_values):
        end = axis.dom.min + axis.dom.extent
        if not (analyzer.can_prove(axis.dom.min <= value) and analyzer.can_prove(value < end)):
            return f"{axis.var} is {value}, but may only be from {axis.dom.min} to less than {end}"
    return None


def undeclared(mod, function, name, buffer):
    """The region of the buffer that TVM finds accessed, and cannot prove to lie between the ends of what is declared of it; None if there is none."""
    schedule, analyzer = tvm.s_tir.Schedule(mod), tvm.sym.Analyzer()
    block, root = schedule.get(schedule.get_sblock(name, function)), schedule.get_sblock("root", function)
    for axis in block.iter_vars:
        analyzer.bind(axis.var, axis.dom)
    outer = [schedule.get(one) for one in (root, *schedule.get_child_blocks(root))]
    buffers = [*mod[function].params, *(one for other in outer for one in other.alloc_buffers)]
    known = {one: one for one in buffers if isinstance(one, tvm.tirx.Buffer)}
    reads, writes, _ = tvm.s_tir.analysis.get_sblock_access_region(block, known)
    for declared, found in ((block.reads, reads), (block.writes, writes)):
        declared = [one for one in declared if one.source.name == buffer]
        for region in (one for one in found if one.source.name == buffer):
            for axis, span in enumerate(region.region):
                same = [one.region[axis] for one in declared]
                begins = any(analyzer.can_prove(one.min <= span.min) for one in same)
                ends = any(analyzer.can_prove(span.min + span.extent <= one.min + one.extent) for one in same)
                if not (begins and ends):
                    return f"{region} is accessed, and of it are declared {declared}"
    return None
