"""The passes of relax.transform, of TensorIR and of plugins; Pass objects from their options."""

import functools
import importlib
import inspect
import json
import runpy
import sys
import traceback
import types

import tvm
from tvm import relax
from tvm.s_tir import dlight

from host_compiler import HostError

NOT_PASSES = {"FunctionPass", "DataflowBlockPass", "FusionPattern", "PatternCheckContext"}
CONTRACT_KEYS = {"convention", "numerics", "level", "idempotent", "executes", "inlines", "rejections", "needs", "alters"}
# Options with these tags depend on the module at hand: their Pass is made anew for each module.
MODULE_TAGS = ("$vdevice", "$param", "$symbol")


def _type_without_shape(param):
    """UpdateParamType: the type of a tensor parameter, its shape forgotten."""
    before = param.ty if hasattr(param, "ty") else param.struct_info
    if not hasattr(before, "ndim") or not hasattr(before, "dtype"):
        return None
    return type(before)(dtype=before.dtype, ndim=before.ndim, vdevice=before.vdevice)


# The functions that options name by {"$callable": NAME}.
CALLABLES = {
    "always": lambda *_: True,
    "never": lambda *_: False,
    # CombineParallelMatmul: two branches are combined, more are not.
    "pairs": lambda _, weights, *__: len(weights) == 2,
    "forget_shapes": _type_without_shape,
    # LegalizeOps: a rule of one's own for relax.multiply, with the operands exchanged.
    "multiply_exchanged": lambda builder, call: builder.call_te(tvm.topi.multiply, call.args[1], call.args[0]),
}


def _patterns(names):
    """Patterns of FuseOpsByPattern, by name, in this order of priority."""
    from tvm.relax.dpl import is_op, is_tuple_get_item, wildcard

    matmul = is_op("relax.matmul")(wildcard(), wildcard())
    conv2d = is_op("relax.nn.conv2d")(wildcard(), wildcard())
    add = is_op("relax.add")(wildcard(), wildcard())
    split = is_op("relax.split")(wildcard())
    known = {
        "matmul_bias": is_op("relax.add")(matmul, wildcard()),
        "matmul_relu": is_op("relax.nn.relu")(matmul),
        "matmul": matmul,
        "conv2d_relu": is_op("relax.nn.relu")(conv2d),
        "conv2d": conv2d,
        "transposed": is_op("relax.matmul")(wildcard(), is_op("relax.permute_dims")(wildcard())),
        "split_item": is_tuple_get_item(split, 0),
        "added_twice": is_op("relax.add")(add, wildcard()),
        "multiplied": is_op("relax.multiply")(wildcard(), wildcard()),
        "negative": is_op("relax.negative")(wildcard()),
        "reshape": is_op("relax.reshape")(wildcard(), wildcard()),
    }
    return [("passdiff." + name, known[name]) for name in names]


# Where passes with a dotted name come from. What a version of TVM lacks, it has no passes of.
NAMESPACES = {"": relax.transform}
# Passes of Relax that stand in relax.backend.
OF_BACKEND = ("DispatchSampling", "DispatchSortScan")
# Passes over TensorIR that stood in another namespace before 0.27.
FORMERLY = {"s_tir.StmtSimplify": "tirx.StmtSimplify"}
for _name in ("tirx", "s_tir"):
    try:
        NAMESPACES[_name] = importlib.import_module(f"tvm.{_name}.transform")
    except ImportError:
        pass
try:
    NAMESPACES["distributed"] = importlib.import_module("tvm.relax.distributed.transform")
except ImportError:
    pass
# The schedule rules of dlight by what they are for: each is a pass that applies it alone.
for _name in ("gpu", "cpu", "adreno"):
    try:
        NAMESPACES[f"dlight.{_name}"] = importlib.import_module(f"tvm.s_tir.dlight.{_name}")
    except ImportError:
        pass


def _is_rule(maker):
    """Whether this is one of dlight's rules: a class that says how it schedules a function."""
    return inspect.isclass(maker) and issubclass(maker, dlight.ScheduleRule) and maker.apply is not dlight.ScheduleRule.apply


def _constructor(name):
    """What makes the pass of this name, or None."""
    namespace, _, short = name.rpartition(".")
    if namespace not in NAMESPACES or short in NOT_PASSES or not short[:1].isupper() or name in FORMERLY.values():
        return None
    module = relax.backend if name in OF_BACKEND else NAMESPACES[namespace]
    if name in FORMERLY and not hasattr(module, short):
        module = NAMESPACES.get(FORMERLY[name].rpartition(".")[0])
    maker = getattr(module, short, None)
    if namespace.startswith("dlight.") and not _is_rule(maker):
        return None
    return maker if callable(maker) else None


# What a pass is given where options leave it out, as those of a pass that another one needs do.
DEFAULTS = {"FuseOpsByPattern": {"patterns": {"$patterns": ["matmul_bias", "matmul", "conv2d", "added_twice", "multiplied",
                                                            "negative"]}},
            "tirx.NarrowDataType": {"target_bits": 32}}


def _defaults(name):
    if name.startswith("dlight."):
        return {"$target": "llvm" if name.startswith("dlight.cpu.") else "nvidia/geforce-rtx-3090"}
    return DEFAULTS.get(name, {})


class Plugins:
    """What a plugin sees as the module `passdiff_plugin`."""

    def __init__(self):
        self.passes = {}

    def register(self, name, make_pass, **contract):
        """Adds a pass under test. `make_pass` is a Pass, or makes one from the options, which are keyword arguments."""
        unknown = set(contract) - CONTRACT_KEYS
        if unknown:
            raise ValueError(f"{name}: no contract field is called {sorted(unknown)[0]}; there are {sorted(CONTRACT_KEYS)}")
        if not callable(make_pass):
            raise ValueError(f"{name}: neither a Pass nor a function that makes one")
        if _constructor(name) is not None:
            raise ValueError(f"{name}: TVM has a pass of this name; register yours under another")
        if name in self.passes:
            raise ValueError(f"{name}: a pass of this name is registered already")
        self.passes[name] = (make_pass, contract)

    def load(self, path):
        module = types.ModuleType("passdiff_plugin")
        module.register = self.register
        sys.modules["passdiff_plugin"] = module
        try:
            runpy.run_path(path, run_name="passdiff_plugin_file")
        except BaseException as error:
            last = traceback.format_exception_only(error)[-1]
            raise HostError("host.plugin", f"the plugin {path} fails: {last}") from error


def _under(target, made):
    """The pass with another current target, which is made once: that of a GPU may look for its compiler on the machine."""
    current = functools.cache(lambda: tvm.target.Target(target))

    @tvm.transform.module_pass(opt_level=0, name=str(made.info.name))
    def run(module, _):
        with current():
            return made(module)

    return run


def _schedule(rule):
    """The pass that applies the rule. TVM's writes into the module that it is given, so that this one gives it a copy: otherwise all that passes
    before have made would have to be made again for each pass after it."""
    made = dlight.ApplyDefaultSchedule(rule)

    @tvm.transform.module_pass(opt_level=0, name="ApplyDefaultSchedule")
    def run(module, _):
        return made(module.clone())

    return run


class UnknownPass(Exception):
    pass


class NoPass(TypeError):
    """What a plugin's function made is no Pass."""


class Passes:
    def __init__(self, plugin_files):
        self._plugins = Plugins()
        for path in plugin_files:
            self._plugins.load(path)
        self._remember = tvm.get_global_func("passdiff.remember")
        self._remembered = tvm.get_global_func("passdiff.remembered")

    def listing(self):
        entries = []
        for namespace, module in NAMESPACES.items():
            elsewhere = OF_BACKEND if module is relax.transform else [name.rpartition(".")[2] for name in FORMERLY if name.startswith(f"{namespace}.")]
            for short in sorted({*vars(module), *elsewhere}):
                name = f"{namespace}.{short}" if namespace else short
                maker = _constructor(name)
                if maker is None:
                    continue
                doc = (inspect.getdoc(maker) or "").partition("\n")[0]
                entries.append({"name": name, "doc": doc, "plugin": False})
        for name, (maker, contract) in self._plugins.passes.items():
            doc = "" if isinstance(maker, tvm.transform.Pass) else (inspect.getdoc(maker) or "").partition("\n")[0]
            entries.append({"name": name, "doc": doc, "plugin": True, "contract": contract, "unmade": self._unmade(name)})
        return entries

    def _unmade(self, name):
        """Why the pass of a plugin cannot be made without options; empty if it can. One whose function makes something else is refused."""
        try:
            with tvm.target.Target("llvm"):
                self.make(name, {}, None)
        except NoPass as error:
            raise HostError("host.plugin", f"the plugin's function for {error}") from error
        except Exception as error:
            return traceback.format_exception_only(error)[-1].strip()
        return ""

    def make(self, name, options, module):
        """The Pass; `module` is a function that gives the module at hand, for options that refer to it."""
        text = json.dumps(options)
        made = self._remembered(name, text)
        if made is not None:
            return made
        arguments = {**_defaults(name), **options}
        target = arguments.pop("$target", None)
        made = self._make(name, _resolve(arguments, module, options.get("func_name")))
        if target is not None:
            made = _under(target, made)
        if not any(tag in text for tag in MODULE_TAGS):
            self._remember(name, text, made)
        return made

    def _make(self, name, options):
        if name in self._plugins.passes:
            maker = self._plugins.passes[name][0]
            made = maker if isinstance(maker, tvm.transform.Pass) else maker(**options)
        else:
            maker = _constructor(name)
            if maker is None:
                raise UnknownPass(f"TVM has no pass {name}")
            made = maker(**options)
            if name.startswith("dlight."):
                made = _schedule(made)
        if not isinstance(made, tvm.transform.Pass):
            raise NoPass(f"{name} makes a {type(made).__name__}, which is no Pass")
        return made


def _function(module, name):
    """The function that options are about: the one that they name, or else main, or the first public one."""
    named = {var.name_hint: function for var, function in module.functions.items() if isinstance(function, relax.Function)}
    if isinstance(name, str) and name in named:
        return named[name]
    return named.get("main") or next(f for f in named.values() if f.attrs and "global_symbol" in f.attrs)


def _param(function, name):
    for param in function.params:
        if param.name_hint == name if hasattr(param, "name_hint") else param.name == name:
            return param
    raise ValueError(f"the function has no parameter {name}")


def _symbol(function, name):
    for symbol in relax.analysis.defined_symbolic_vars(function):
        if symbol.name == name:
            return symbol
    raise ValueError(f"the function has no symbol {name}")


def _resolve(value, module, function):
    """Python's arguments from the JSON of the options, which name the function that they are about, or none."""
    if isinstance(value, list):
        return [_resolve(item, module, function) for item in value]
    if not isinstance(value, dict):
        return value
    if len(value) != 1 or not next(iter(value)).startswith("$"):
        return {key: _resolve(item, module, function) for key, item in value.items()}
    tag, item = next(iter(value.items()))
    if tag == "$callable" and item in CALLABLES:
        return CALLABLES[item]
    if tag == "$patterns":
        return _patterns(item)
    if tag == "$dtype":
        return item
    if tag == "$vdevice":
        return module().global_infos["vdevice"][item]
    if tag == "$param":
        return _param(_function(module(), function), item)
    if tag == "$symbol":
        return _symbol(_function(module(), function), item)
    if tag == "$tensor":
        import host_values

        return host_values.from_document(item)
    raise ValueError(f"no option is tagged {tag}")
