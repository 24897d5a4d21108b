"""Runs on a CPU what is scheduled for the threads of a device: they take turns, which is one of the orders that a schedule allows."""

import json

import tvm


def without_threads(mod):
    """The module with plain loops for those over threads. Relax is left alone: TVM does not read constants of no elements that it has written."""
    kernels = tvm.IRModule({var: one for var, one in mod.functions.items() if not isinstance(one, tvm.relax.Function)})
    document = json.loads(tvm.ir.save_json(kernels))
    nodes = document["nodes"]
    none = len(nodes)
    plain = {"annotations": none + 1, "step": none, "span": none}
    nodes += [{"type": "None"}, {"type": "ffi.Map", "data": []}]
    for node in nodes:
        loop = node.get("data")
        launches = node["type"] == "tirx.AttrStmt" and nodes[loop["attr_key"]]["data"] in ("thread_extent", "virtual_thread")
        if not launches and not (node["type"] == "tirx.For" and loop["kind"] == 4):  # 4: thread_binding
            continue
        thread = nodes[loop["node" if launches else "thread_binding"]]["data"]
        if launches:
            first = nodes[thread["dom"]]["data"]["min"]
            loop = plain | {"loop_var": thread["var"], "min": first, "extent": loop["value"], "body": loop["body"]}
        node.update(type="tirx.For", data=loop | {"kind": 0, "thread_binding": none})
    mod = mod.clone()
    for var, kernel in tvm.ir.load_json(json.dumps(document)).functions.items():
        mod.update_func(mod.get_global_var(var.name_hint), kernel)
    return mod


def has_threads(mod):
    functions = (one.script() for one in mod.functions.values() if not isinstance(one, tvm.relax.Function))
    return any("T.thread_binding(" in text or "T.launch_thread(" in text for text in functions)
