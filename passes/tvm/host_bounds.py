"""Asserts that functions of TensorIR stay within their buffers, so that compiled code says where they do not."""

import ast

import tvm


class Asserting(ast.NodeTransformer):
    """Puts an assertion on each index before the statement that accesses a buffer there."""

    def accesses(self, node):
        # What stands behind a condition may be out of bounds where that does not hold.
        guarded = isinstance(node, ast.Call) and ast.unparse(node.func) in ("T.if_then_else", "T.Select")
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
            yield node
        for child in [node.args[0]] if guarded else ast.iter_child_nodes(node):
            yield from self.accesses(child)

    def after_assertions(self, node, *accessing):
        text = {}
        for access in (access for part in accessing for access in self.accesses(part)):
            indices = access.slice.elts if isinstance(access.slice, ast.Tuple) else [access.slice]
            for axis, index in enumerate(map(ast.unparse, indices)):
                if ":" not in index and "T.Ramp" not in index:  # one element alone
                    inside = f"T.And(T.int64(0) <= {index}, {index} < {access.value.id}.shape[{axis}])"
                    text[f"assert {inside}, 'out of bounds: {access.value.id}'"] = None
        return [*ast.parse("\n".join(text)).body, node]

    def visit_Assign(self, node):
        stores = isinstance(node.targets[0], ast.Subscript)
        return self.after_assertions(node, node.targets[0], node.value) if stores else node

    def visit_If(self, node):
        self.generic_visit(node)
        return self.after_assertions(node, node.test)

    def visit_Call(self, node):
        # An assertion that fails in an iteration of a parallel loop ends that alone, and nobody is told.
        if ast.unparse(node.func) == "T.parallel":
            node.func.attr = "serial"
        return node


def asserted(mod):
    mod = mod.clone()
    for name, function in list(mod.functions.items()):
        if not isinstance(function, tvm.relax.Function):
            tree = Asserting().visit(ast.parse(function.script()))
            mod.update_func(name, tvm.script.from_source(ast.unparse(ast.fix_missing_locations(tree))))
    return mod
