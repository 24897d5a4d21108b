"""What the recorder writes: modules as text, options as JSON, case folders and the log of applications."""

import base64
import hashlib
import importlib.metadata
import json
import math
import os
import re
import shutil
import sys
import threading

TARGET = "$target"  # the option that says under which target a pass ran
MAX_OPAQUE = 400  # characters that stand for an option which JSON cannot tell
_HERE = os.path.dirname(os.path.abspath(__file__))


def has_relax_functions(module):
    from tvm import relax

    return any(isinstance(function, relax.Function) for function in module.functions.values())


def text_of(module):
    try:
        return module.script(show_meta=True)
    except Exception as error:  # noqa: BLE001
        return f"# TVM cannot print this module: {type(error).__name__}: {_one_line(error)}\n"


def location():
    """file:line of the program: the innermost frame that is not TVM's own, nor the recorder's."""
    import tvm
    import tvm_ffi

    own = (_HERE, os.path.dirname(tvm.__file__), os.path.dirname(tvm_ffi.__file__))
    frame = sys._getframe(1)
    while frame is not None:
        file = frame.f_code.co_filename
        if not file.startswith(own) and not file.startswith("<"):
            relative = os.path.relpath(file)
            return f"{file if relative.startswith('..') else relative}:{frame.f_lineno}"
        frame = frame.f_back
    return "unknown"


def context_of():
    """What besides options and the target may change what a pass does: the configuration of the context."""
    import tvm

    parts = []
    config = tvm.transform.PassContext.current().config
    if config:
        parts.append("PassContext(config=" + json.dumps({str(key): str(config[key]) for key in config}) + ")")
    return ", ".join(parts)


def target_document():
    """The current target with its host, as an object from which Target makes it again; None without one."""
    import tvm

    target = tvm.target.Target.current(allow_none=True)
    if target is None:
        return None
    exported = target.export() if hasattr(target, "export") else json.loads(str(target))
    return _plain(exported)


def _plain(value):
    """TVM's containers and numbers as those of JSON; entries that say nothing are left out."""
    if hasattr(value, "items"):
        return {str(key): _plain(item) for key, item in value.items() if not (str(key) == "tag" and not item)}
    if isinstance(value, str):
        return str(value)
    if isinstance(value, bool) or value is None or isinstance(value, float):
        return value
    if hasattr(value, "__iter__"):
        return [_plain(item) for item in value]
    return int(value)


def by_name(signature, args, kwargs, is_method):
    """The arguments of a constructor by the names of its parameters; those that were not given are left out."""
    if signature is None:
        return {**{str(i): value for i, value in enumerate(args)}, **kwargs}
    given = {}
    for name, value in signature.bind(*args, **kwargs).arguments.items():
        kind = signature.parameters[name].kind
        if kind == kind.VAR_KEYWORD:
            given.update(value)
        else:
            given[name] = list(value) if kind == kind.VAR_POSITIONAL else value
    if is_method and given:
        del given[next(iter(given))]
    return given


def options_document(arguments, module):
    return {name: _document(value, module) for name, value in arguments.items()}


def _document(value, module):
    """A value as the JSON of options (PROTOCOL.md), from which the host makes the same value again."""
    import tvm_ffi

    kind = _kind(value)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, tvm_ffi.dtype):
        return {"$dtype": str(value)}
    if isinstance(value, int) or kind == "IntImm":
        return int(value)
    if isinstance(value, str):
        return str(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else _opaque(value)
    if isinstance(value, (list, tuple, tvm_ffi.Array)):
        return [_document(item, module) for item in value]
    if isinstance(value, (dict, tvm_ffi.Map)):
        return _object(value, module)
    if kind == "VDevice":
        return _vdevice(value, module)
    if kind == "relax.Var":  # another than a parameter is one that the pass shall bring in
        return {"$param": _name(value)} if _is_param(value, module) else _opaque(value)
    if kind == "Var":
        return {"$symbol": _name(value)}
    if isinstance(value, tvm_ffi.Tensor) or kind == "ndarray":
        return _tensor(value)
    return _opaque(value)


def _kind(value):
    """The class by its name alone: where it stands is another from version to version."""
    name = type(value).__name__
    return "relax.Var" if name in ("Var", "DataflowVar") and _is_of_relax(value) else name


def _is_of_relax(variable):
    """Whether it is a variable of a graph and no symbolic size. From 0.26 on both are of one class, and their types tell."""
    kind = type(getattr(variable, "ty", None)).__name__
    if kind == "NoneType":
        return type(variable).__module__.startswith("tvm.relax")
    return kind != "PrimType"


def _is_param(variable, module):
    from tvm import relax

    functions = [function for function in module.functions.values() if isinstance(function, relax.Function)]
    return any(_name(param) == _name(variable) for function in functions for param in function.params)


def _name(variable):
    return str(variable.name_hint if hasattr(variable, "name_hint") else variable.name)


def _object(value, module):
    result = {}
    for key, item in value.items():
        name = _name(key) if _kind(key) in ("relax.Var", "Var") else key
        if not isinstance(name, str):
            return _opaque(value)
        result[str(name)] = _document(item, module)
    return result


def _vdevice(value, module):
    import tvm_ffi

    devices = module.global_infos["vdevice"] if "vdevice" in module.global_infos else []
    for index, device in enumerate(devices):
        if tvm_ffi.structural_equal(device, value):
            return {"$vdevice": index}
    return _opaque(value)


def _tensor(value):
    array = value.numpy() if hasattr(value, "numpy") else value
    data = base64.b64encode(array.tobytes()).decode("ascii")
    return {"$tensor": {"tensor": str(value.dtype), "shape": [int(dim) for dim in array.shape], "data": data}}


def _opaque(value):
    """What JSON cannot tell, so that such a pass is recorded, and known not to be replayable."""
    if callable(value) and hasattr(value, "__qualname__"):
        text = f"{value.__module__}.{value.__qualname__}"
    else:
        text = f"{type(value).__name__} {_one_line(value)}"
    return {"$opaque": re.sub(r"0x[0-9a-f]{6,}", "0x...", text)[:MAX_OPAQUE]}


def _one_line(value):
    return " ".join(str(value).split())


def _compiler():
    try:
        return "apache-tvm " + importlib.metadata.version("apache-tvm")
    except importlib.metadata.PackageNotFoundError:
        import tvm

        return "tvm " + tvm.__version__


class Writer:
    """Writes case folders whole or not at all, and a line of applications.jsonl for each application."""

    def __init__(self, folder):
        self._folder = folder
        os.makedirs(folder, exist_ok=True)
        self._log = os.open(os.path.join(folder, "applications.jsonl"), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
        self._written = set()
        self._lock = threading.Lock()
        self._left_out = set()

    def write(self, application, passes, after, error):
        # One quotes nothing of a path that could leave the folder.
        name = re.sub(r"[^A-Za-z0-9_.-]", "_", application.name).lstrip(".") or "pass"
        passes = [[pass_name, options] for pass_name, options in passes]
        parts = [application.before, after or "", json.dumps(passes, sort_keys=True), "error" if error else ""]
        key = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]
        relative = os.path.join(name, key)
        if relative not in self._written:
            self._write_folder(relative, application, passes, after, error)
            self._written.add(relative)
        self._append({"folder": relative, "pass": application.name, "where": application.where})

    def leave_out(self, name):
        self._append({"left_out": name})

    def fault(self, error):
        self._append({"fault": f"{type(error).__name__}: {_one_line(error)}"})

    def _append(self, line):
        os.write(self._log, (json.dumps(line) + "\n").encode())  # one write: whole lines, whoever else appends

    def _write_folder(self, relative, application, passes, after, error):
        folder = os.path.join(self._folder, relative)
        if os.path.exists(folder):
            return
        partial = f"{folder}.{os.getpid()}-{threading.get_ident()}.partial"
        os.makedirs(partial)
        case = {"format": 1, "passes": passes, "expected": {}, "origin": application.where}
        files = {"source.py": application.before, "case.json": json.dumps(case, indent=1) + "\n"}
        readme = f"{application.name}, as recorded at {application.where} with {_compiler()}"
        files["README.md"] = readme + (f", under {application.context}.\n" if application.context else ".\n")
        if error is None:
            files["target.py"] = after
        else:
            files["error.txt"] = f"{type(error).__name__}: {error}\n"
        for name, text in files.items():
            with open(os.path.join(partial, name), "w", encoding="utf-8") as file:
                file.write(text)
        try:
            os.rename(partial, folder)
        except OSError:  # another process has recorded the same
            shutil.rmtree(partial, ignore_errors=True)
