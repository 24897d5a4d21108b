"""Compiles a module with as few passes as will do, and runs it on TVM's virtual machine."""

import contextlib
import ctypes

import tvm
import tvm_ffi
from tvm import relax

import host_bounds
import host_threads
import host_values

# relax.build's default pipeline runs optimisations of its own, so that a bug there would hit both sides alike.
# What is left begins as it does: DispatchSampling rebuilds every binding, and so finds sizes again that the module's types have forgotten.
MINIMAL_PIPELINE = (
    "DispatchSampling", "DispatchSortScan", "LegalizeOps", "ToNonDataflow", "RemovePurityChecking", "CallTIRRewrite",
    "LowerAllocTensor", "LowerRuntimeBuiltin", "ComputePrimValue", "VMShapeLower", "AttachGlobalSymbol",
)

# A hint of a device is its operand, until RealizeVDevice, an optimisation, takes it out: nothing else lowers it.
ARGUMENTS = {"LegalizeOps": ({"relax.hint_on_device": lambda _, call: call.args[0]},)}

# Optimised code takes thrice as long to make, and runs once.
PLAIN = tvm.target.Target({"kind": "llvm", "opt-level": 0})
OPTIMISED = tvm.target.Target("llvm")

# An option of glibc's mallopt: memory is filled with this byte when it is freed, and with its complement when it is allocated. As floats of 16, 32 or
# 64 bits both are no zeros, and numbers that no test computes.
M_PERTURB = -6
FILL = 190
_LIBC = ctypes.CDLL(None)

OVER_TENSOR_IR = ("s_tir.", "tirx.")

EMPTY_SOURCE = ";"


class Stages:
    """How far the request got."""

    name = "build"


def _has_local_functions(module):
    found = []

    def visit(expression):
        if isinstance(expression, relax.Function):
            found.append(expression)

    for function in module.functions.values():
        if isinstance(function, relax.Function):
            relax.analysis.post_order_visit(function.body, visit)
    return bool(found)


def _minimal_pipeline(module):
    passes = []
    # The virtual machine knows no local functions. A bug of LambdaLift would hit source and target alike, so that it is run
    # only where it must be.
    lift = ("LambdaLift",) if _has_local_functions(module) else ()
    for name in lift + MINIMAL_PIPELINE:
        maker = getattr(relax.transform, name, None) or getattr(relax.backend, name, None)
        passes.append(maker(*ARGUMENTS.get(name, ())))
    return tvm.transform.Sequential(passes)


def transformed(request, make_pipeline, source, stage):
    module = source()
    stage.name = "transform"
    for made in make_pipeline(request["pipeline"], source):
        module = made(module)
    return module


def compile_module(module, stage, target=PLAIN):
    stage.name = "compile"
    build = getattr(relax, "build", None) or tvm.compile
    return build(module, target, relax_pipeline=_minimal_pipeline(module))


def _prim_funcs(module):
    kind = (getattr(tvm, "tirx", None) or tvm.tir).PrimFunc  # the package was renamed
    return {var: function for var, function in module.functions.items() if isinstance(function, kind)}


class Kernels:
    """Functions of TensorIR by name, called without a virtual machine. They return what they leave in the tensors that they are given."""

    def __init__(self, module, stage, target):
        stage.name = "compile"
        self._compiled = tvm.compile(tvm.IRModule(_prim_funcs(module)), target)

    def __getitem__(self, name):
        def call(*arguments):
            number = self._compiled[name](*arguments)
            tensors = [argument for argument in arguments if isinstance(argument, tvm_ffi.Tensor)]
            return tensors if number is None else [*tensors, number]

        return call


def _device_count(module):
    return max(1, len(module.global_infos.get("vdevice", ())))


def _loadable(compiled):
    """What a machine loads. It would run the C compiler for a source file among the program's libraries, also for the empty one that TVM's linker
    adds where a module has no function of TensorIR: that one is left out."""
    libraries = list(compiled.mod.imports)
    is_empty = len(libraries) == 1 and libraries[0].kind == "c" and libraries[0].inspect_source() == EMPTY_SOURCE
    return compiled.mod if is_empty else compiled


def machine_for(module, compiled):
    """Each virtual device is a device of the machine, and all are the CPU. It allocates anew: memory that it kept would hold earlier results.
    Functions of TensorIR need no machine."""
    if isinstance(compiled, Kernels):
        return compiled
    return relax.VirtualMachine(_loadable(compiled), [tvm.cpu()] * _device_count(module), memory_cfg="naive")


@contextlib.contextmanager
def _filled_memory():
    """What is allocated here holds no zeros, which a result that is never written might well be. Where the C library is not glibc, it may."""
    fill = getattr(_LIBC, "mallopt", None)
    if fill is None:
        yield
        return
    fill(M_PERTURB, FILL)
    try:
        yield
    finally:
        fill(M_PERTURB, 0)


class Run:
    """One execution of a plan."""

    def __init__(self, module, compiled, arguments, parts):
        self._get_items = []
        # The machine looks global functions up when it is made: they must be registered before.
        tvm.register_global_func("get_item", self._get_item, override=True)
        tvm.register_global_func("set_item", self._set_item, override=True)
        self._machine = machine_for(module, compiled)
        self._arguments = arguments
        self._parts = parts
        self._results = []
        self._set_items = {}
        self._given = []  # the arguments that were made, each with a copy

    def step(self, step):
        self._get_items = [self._value(item) for item in step.get("get_items", ())]
        self._set_items = {}
        arguments = [self._value(value) for value in step["args"]]
        with _filled_memory():
            result = host_values.copied(self._machine[step["function"]](*arguments))
        collects = step.get("collects_set_items") or any(value.get("set_callback") for value in step["args"])
        if collects:
            result = [self._set_items[index] for index in sorted(self._set_items)]
            # LazySetOutput passes a result that is no tuple literal to the callback as a whole, as item 0.
            if step.get("single_output") and len(result) == 1:
                result = result[0]
        self._results.append(result)
        return result

    def overwrote_arguments(self):
        return any(not host_values.equal(argument, before) for argument, before in self._given)

    def _get_item(self, *args):
        return host_values.copied(self._get_items[int(args[-1])])

    def _set_item(self, *args):
        self._set_items[int(args[-2])] = host_values.copied(args[-1])

    def _value(self, value):
        if "arg" in value:
            argument = host_values.from_document(self._arguments[value["arg"]], self._parts)
            self._given.append((argument, host_values.copied(argument)))
            return argument[value["field"]] if "field" in value else argument
        if "tuple" in value:
            return [self._value(field) for field in value["tuple"]]
        if "step" in value:
            result = self._results[value["step"]]
            return host_values.copied(result if value.get("field", -1) < 0 else result[value["field"]])
        if "get_callback" in value:
            items = [self._value(item) for item in value["get_callback"]]
            return tvm.runtime.convert(lambda index, *_: host_values.copied(items[int(index)]))
        if not value["set_callback"]:
            return tvm.runtime.convert(lambda *_: None)
        return tvm.runtime.convert(lambda index, item: self._set_item(index, item))


@tvm.instrument.pass_instrument
class _Rest:
    """Leaves out what compilation runs over TensorIR from the first of the given passes to the last of them."""

    def __init__(self, done):
        self._ahead = set(done)
        self._last = done[-1]
        self._inside = False

    def should_run(self, _, info):
        if not info.name.startswith(OVER_TENSOR_IR):
            return True
        self._inside = self._inside or info.name in self._ahead
        runs = not self._inside
        if info.name == self._last:
            self._ahead = set()
            self._inside = False
        return runs


@tvm.instrument.pass_instrument
class _Without:
    """Leaves out one pass."""

    def __init__(self, name):
        self._name = name

    def should_run(self, _, info):
        return info.name != self._name


def _context(assertions, without=""):
    """What code is made in. Without assertions kernels do not check their arguments, which makes most of their code: compiling takes half the
    time. `without` is the pass to be left out; empty: none."""
    instruments = [_Without(without)] if without else []
    # The option is called differently in each version.
    for option in ("tirx.disable_assert", "tir.disable_assert") if not assertions else ():
        try:
            return tvm.transform.PassContext(config={option: True}, instruments=instruments)
        except Exception:
            continue
    return tvm.transform.PassContext(instruments=instruments)


def _compile_what_is_left(build, module, stage, target, pipeline, without):
    """Compilation runs all passes over TensorIR, and those that made the module a second time: what they refuse then, as one that plans
    memory does where loops have become vectors, is no fault of the module if it compiles without them."""
    done = [name for name, *_ in pipeline if name.startswith(OVER_TENSOR_IR)]
    try:
        return build(module, stage, target)
    except Exception as error:
        if not done or without:
            raise
        try:
            with tvm.transform.PassContext(instruments=[_Rest(done)]):
                return build(module, stage, target)
        except Exception:
            raise error from None


def execute(request, parts, make_pipeline, source, stage, bodies):
    module = transformed(request, make_pipeline, source, stage)
    if host_threads.has_threads(module):
        module = host_threads.without_threads(module)
    asserts = request.get("asserts_bounds", False)
    if asserts:
        module = host_bounds.asserted(module)
    steps = request["plan"]["steps"]
    is_kernel = steps[-1]["function"] in {var.name_hint for var in _prim_funcs(module)}
    target = OPTIMISED if request.get("optimised") else PLAIN
    # The source is given arguments of its types. Whether a target asserts what does not hold is seen. Of several devices it may not hold of the
    # source either: R.to_vdevice puts a value on the second CPU, which this machine does not have.
    checked = asserts or request["pipeline"] or _device_count(module) > 1
    without = request.get("without", "")
    with _context(checked, without):
        compiled = _compile_what_is_left(Kernels if is_kernel else compile_module, module, stage, target, request["pipeline"], without)
    if request.get("only_compiled"):
        return host_values.to_document([], bodies), False
    stage.name = "run"
    run = Run(module, compiled, request["arguments"], parts)
    result = None
    for step in steps:
        result = run.step(step)
    # Functions of TensorIR write to their arguments, and return these.
    return host_values.to_document(result, bodies), not is_kernel and run.overwrote_arguments()


def call_functions(calls, parts, source, stage, attempt, bodies):
    """What each call returned, or the error with which it ended; the module is compiled once for all of them. They are calls of functions of
    TensorIR, or none of them is."""
    module = source()
    kernels = {var.name_hint for var in _prim_funcs(module)}
    with _context(assertions=False):
        build = Kernels if any(call["function"] in kernels for call in calls) else compile_module
        compiled = build(module, stage, PLAIN)
    stage.name = "run"
    machine = machine_for(module, compiled)
    results = []
    for call in calls:
        arguments = [host_values.from_document(argument, parts) for argument in call["arguments"]]
        value, error = attempt(lambda: host_values.to_document(machine[call["function"]](*arguments), bodies))
        results.append({"ok": True, "value": value} if error is None else {"ok": False, "stage": "run", "error": error})
    return results
