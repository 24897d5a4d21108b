// The Python text of repro.py; @NAMES@ are filled in by repro.cc.
#pragma once

namespace passdiff {

inline constexpr const char* kReproText = R"PYTHON("""@SYMPTOM@: @DETAIL@

Needs tvm and numpy only. Exits 1 while the bug is there, 0 when it is gone, 2 when the environment is not fit.
"""
import os
import subprocess
import sys

os.environ.setdefault("TVM_NUM_THREADS", "1")

SOURCE = r'''
@SOURCE@'''
PASSES = [
@PASSES@]
ENTRY = "@ENTRY@"
# The calls of the target: (function, arguments, the values that get_item returns, whether set_item collects the result,
# whether the one value that it collects is the result itself).
PLAN = [
@PLAN@]
SYMPTOM = "@SYMPTOM@"
SITE = @SITE@


def arguments():
    inf, nan = float("inf"), float("nan")
    return [
@ARGUMENTS@    ]


def tensor(dtype, shape, values):
    import ml_dtypes  # comes with tvm: numpy's own types lack these floats
    import numpy as np

    foreign = {name: getattr(ml_dtypes, name) for name in ("bfloat16", "float8_e4m3fn", "float8_e5m2")}
    return np.array(values, dtype=foreign.get(dtype, dtype)).reshape(shape)


def shape(*dims):
    import tvm_ffi

    return tvm_ffi.Shape(dims)


def build():
    import numpy as np
    import tvm.script
    from tvm.script import ir as I, relax as R, tirx as T

    return tvm.script.from_source(SOURCE, {"I": I, "R": R, "T": T, "np": np})


def name_of(var):
    return var.name_hint if hasattr(var, "name_hint") else var.name  # as of 0.27


def without_shape(param):
    before = param.ty if hasattr(param, "ty") else param.struct_info
    if hasattr(before, "ndim") and hasattr(before, "dtype"):
        return type(before)(dtype=before.dtype, ndim=before.ndim, vdevice=before.vdevice)


CALLABLES = {
    "always": lambda *_: True,
    "never": lambda *_: False,
    "pairs": lambda _, weights, *__: len(weights) == 2,
    "forget_shapes": without_shape,
}


def patterns(names):
    from tvm.relax.dpl import is_op, is_tuple_get_item, wildcard

    matmul = is_op("relax.matmul")(wildcard(), wildcard())
    conv2d = is_op("relax.nn.conv2d")(wildcard(), wildcard())
    known = {
        "matmul_bias": is_op("relax.add")(matmul, wildcard()),
        "matmul_relu": is_op("relax.nn.relu")(matmul),
        "matmul": matmul,
        "conv2d_relu": is_op("relax.nn.relu")(conv2d),
        "conv2d": conv2d,
        "transposed": is_op("relax.matmul")(wildcard(), is_op("relax.permute_dims")(wildcard())),
        "split_item": is_tuple_get_item(is_op("relax.split")(wildcard()), 0),
        "added_twice": is_op("relax.add")(is_op("relax.add")(wildcard(), wildcard()), wildcard()),
        "multiplied": is_op("relax.multiply")(wildcard(), wildcard()),
        "negative": is_op("relax.negative")(wildcard()),
        "reshape": is_op("relax.reshape")(wildcard(), wildcard()),
    }
    return [("passdiff." + name, known[name]) for name in names]


DEFAULTS = {"FuseOpsByPattern": {"patterns": {"$patterns": ["matmul_bias", "matmul", "conv2d", "added_twice", "multiplied",
                                                            "negative"]}},
            "tirx.NarrowDataType": {"target_bits": 32}}


def option(value, mod):
    if isinstance(value, list):
        return [option(item, mod) for item in value]
    if not isinstance(value, dict):
        return value
    if "$callable" in value:
        return CALLABLES[value["$callable"]]
    if "$patterns" in value:
        return patterns(value["$patterns"])
    if "$dtype" in value:
        return value["$dtype"]
    if "$vdevice" in value:
        return mod.global_infos["vdevice"][value["$vdevice"]]
    if "$param" in value:
        return next(p for p in mod[ENTRY].params if name_of(p) == value["$param"])
    return {key: option(item, mod) for key, item in value.items()}


def make_pass(name, options, mod):
    import importlib

    namespace, _, short = name.rpartition(".")
    transforms = importlib.import_module(f"tvm.{namespace or 'relax'}.transform")
    given = {**DEFAULTS.get(name, {}), **options}
    return getattr(transforms, short)(**{key: option(value, mod) for key, value in given.items()})


def transform(mod):
    import tvm

    with tvm.target.Target("llvm"):
        for name, options in PASSES:
            mod = make_pass(name, options, mod)(mod)
    return mod


def compile_plainly(mod):
    """Lowers with as few passes as will do: the default pipeline would run optimisations of its own."""
    import tvm
    from tvm import relax

    nested = []
    for function in mod.functions.values():
        if isinstance(function, relax.Function):
            relax.analysis.post_order_visit(
                function.body, lambda e: nested.append(e) if isinstance(e, relax.Function) else None)
    # The virtual machine knows no local functions, so that they are lifted.
    lowering = [relax.transform.LambdaLift()] if nested else []
    lowering += [relax.backend.DispatchSortScan()] + [
        getattr(relax.transform, name)()
        for name in ("LegalizeOps ToNonDataflow RemovePurityChecking CallTIRRewrite LowerAllocTensor "
                     "LowerRuntimeBuiltin ComputePrimValue VMShapeLower AttachGlobalSymbol").split()
    ]
    built = relax.build(mod, target=tvm.target.Target("llvm"), relax_pipeline=tvm.transform.Sequential(lowering))
    return relax.VirtualMachine(built, tvm.cpu())


def to_device(value):
    import numpy as np
    import tvm

    if isinstance(value, np.ndarray):
        return tvm.runtime.tensor(value)
    return tuple(to_device(v) for v in value) if isinstance(value, tuple) else value


def to_host(value):
    import numpy as np

    if hasattr(value, "numpy"):
        return np.array(value.numpy())
    try:
        return tuple(to_host(v) for v in value)
    except TypeError:
        return value


def run(mod, plan):
    import tvm_ffi

    given = arguments()
    results = []
    served = {"items": [], "collected": {}}

    def get_item(*call):
        return resolve(served["items"][int(call[-1])])

    def store(*call):
        served["collected"][int(call[-2])] = call[-1]
        return ()

    def resolve(value):
        kind, *rest = value
        if kind == "argument":
            value = given[rest[0]]
            return to_device(value if rest[1] < 0 else value[rest[1]])
        if kind == "tuple":
            return tuple(resolve(v) for v in rest[0])
        if kind == "result":
            return results[rest[0]] if rest[1] < 0 else results[rest[0]][rest[1]]
        if kind == "get":
            return lambda index, *_: resolve(rest[0][int(index)])
        return store if kind == "set" else lambda *_: None

    # The machine looks global functions up when it is made.
    tvm_ffi.register_global_func("get_item", get_item, override=True)
    tvm_ffi.register_global_func("set_item", store, override=True)
    vm = compile_plainly(mod)
    for function, args, items, collects, single in plan:
        served.update(items=items, collected={})
        result = vm[function](*[resolve(a) for a in args])
        sets = collects or any(a[0] == "set" for a in args)
        if sets:
            result = tuple(served["collected"][k] for k in sorted(served["collected"]))
            result = result[0] if single and len(result) == 1 else result
        results.append(result)
    return to_host(results[-1])


def same(a, b):
    import numpy as np

    if isinstance(a, tuple) or isinstance(b, tuple):
        return isinstance(a, tuple) and isinstance(b, tuple) and len(a) == len(b) and all(map(same, a, b))
    if not isinstance(a, np.ndarray) or not isinstance(b, np.ndarray):
        return a == b
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    if a.dtype.kind in "iub":
        return bool((a == b).all())
    narrow = a.dtype.itemsize <= 2
    share = (4e-3 if narrow else 1e-6) if SYMPTOM == "less-precise" else (5e-2 if narrow else 1e-4)
    x, y = a.astype("float64"), b.astype("float64")
    finite = np.abs(np.concatenate([x.ravel(), y.ravel()]))
    scale = finite[np.isfinite(finite)].max(initial=0)
    return bool(np.isclose(x, y, rtol=0, atol=share * scale, equal_nan=True).all())


def well_formed(mod):
    from tvm import relax

    return getattr(relax.analysis, "check_well_formed", relax.analysis.well_formed)(mod)


def structural_equal(a, b, **options):
    import tvm
    import tvm_ffi

    return (getattr(tvm_ffi, "structural_equal", None) or tvm.ir.structural_equal)(a, b, **options)


def declared_types_hold(mod):
    """Infers the type of each call again and compares it with what its variable declares."""
    import tvm
    from tvm import relax

    type_of = lambda e: e.ty if hasattr(e, "ty") else e.struct_info
    wrong = []

    @relax.expr_functor.visitor
    class Visitor(relax.PyExprVisitor):
        def visit_var_binding_(self, binding):
            value = binding.value
            if isinstance(value, relax.Call) and isinstance(value.op, tvm.ir.Op):
                types = value.ty_args if hasattr(value, "ty_args") else value.sinfo_args
                again = relax.BlockBuilder(mod).normalize(relax.Call(value.op, value.args, value.attrs, types))
                if not structural_equal(type_of(again), type_of(binding.var), map_free_vars=True):
                    wrong.append((name_of(binding.var), str(type_of(binding.var)), str(type_of(again))))
            super().visit_var_binding_(binding)

    for function in mod.functions.values():
        if isinstance(function, relax.Function):
            Visitor().visit_expr(function)
    for name, declared, inferred in wrong:
        print(f"{name} is declared {declared}, but inference says {inferred}")
    return not wrong


def show(title, mod):
    print(f"--- {title}")
    try:
        print(mod.script())
    except Exception as error:
        print(f"(it cannot even be printed: {error})")


def bug_is_there():
    import tvm

    source = build()
    show("source", source)
    if SYMPTOM in ("crash", "internal-error", "timeout", "memory"):
        try:
            transform(source)
        except Exception as error:
            print(f"--- {type(error).__name__}: {error}")
            return True
        return False
    target = transform(source)
    show("target", target)
    if SYMPTOM == "ill-formed" and not well_formed(target):
        return True
    if SYMPTOM == "wrong-type":
        return not declared_types_hold(target) or not same(run(build(), direct()), run(target, PLAN))
    if SYMPTOM == "input-mutated":
        return not structural_equal(source, build())
    if SYMPTOM == "not-idempotent":
        return not structural_equal(transform(target), target, map_free_vars=True)
    if SYMPTOM == "nondeterministic":
        return not structural_equal(transform(build()), target, map_free_vars=True)
    if SYMPTOM == "sequential-differs":
        passes = [make_pass(name, options, source) for name, options in PASSES]
        return not structural_equal(tvm.transform.Sequential(passes)(build()), target, map_free_vars=True)
    expected = run(build(), direct())
    print("--- expected\n", expected)
    try:
        actual = run(target, PLAN)
    except Exception as error:
        print(f"--- the target fails: {type(error).__name__}: {error}")
        return True
    print("--- actual\n", actual)
    return not same(expected, actual)


def direct():
    return [(ENTRY, [("argument", i, -1) for i in range(len(arguments()))], [], False, False)]


def main():
    if "--child" in sys.argv:
        sys.exit(10 if bug_is_there() else 0)  # 1 is Python's own code for an error in this script
    try:
        import numpy  # noqa: F401
        import tvm
    except Exception as error:
        print(f"this script needs tvm and numpy: {error}")
        sys.exit(2)
    print(f"tvm {tvm.__version__}: " + ", then ".join(name for name, _ in PASSES))
    sys.stdout.flush()
    try:
        child = subprocess.run([sys.executable, os.path.abspath(__file__), "--child"], timeout=120)
    except subprocess.TimeoutExpired:
        print("the compiler does not end")
        sys.exit(1)
    if child.returncode < 0:
        print(f"the compiler died of signal {-child.returncode}")
        sys.exit(1)
    if child.returncode not in (0, 10):
        print("this script failed: the environment is not fit")
        sys.exit(2)
    print("the bug is there" if child.returncode == 10 else "the bug is gone")
    sys.exit(1 if child.returncode == 10 else 0)


if __name__ == "__main__":
    main()
)PYTHON";

}  // namespace passdiff
