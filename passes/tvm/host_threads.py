"""Runs on a CPU what is scheduled for the threads of a device: they take turns, which is one of the orders that a schedule allows."""

import json

import tvm


def without_threads(mod):
    """The module with plain loops for those over threads."""
    serial, thread_binding = 0, 4  # kinds of loops: ForKind of TVM's stmt.h
    document = json.loads(tvm.ir.save_json(mod))
    for loop in (node["data"] for node in document["nodes"] if node["type"] == "tirx.For"):
        if loop["kind"] == thread_binding:
            loop["kind"], loop["thread_binding"] = serial, 0  # the first node is None
    return tvm.ir.load_json(json.dumps(document))


def has_threads(mod):
    functions = (one for one in mod.functions.values() if not isinstance(one, tvm.relax.Function))
    return any("T.thread_binding(" in function.script() for function in functions)
