"""Imports the user's tvm and loads the adapter into it, or says what is missing and how to mend it."""

import ctypes
import importlib.metadata
import os
import platform
import re
import traceback

# Measured: other pairs fail to load, or segfault when a module is printed or saved.
GOOD_PAIRS = {"0.27": ("0.27.0.post1", "0.1.14.post1"), "0.26": ("0.26.0", "0.1.13.post3"), "0.25": ("0.25.0.post1", "0.1.12")}
KNOWN_BAD_FFI = "0.1.15"
OLDEST = (0, 25)
ADAPTER = "libpassdiff_tvm_adapter.so"


class HostError(Exception):
    def __init__(self, code, message):
        super().__init__(message)
        self.code = code
        self.message = " ".join(message.split())


def _installed(package):
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def _series(version):
    return ".".join(version.split(".")[:2])


def _remedy(version):
    tvm, ffi = GOOD_PAIRS.get(_series(version or ""), GOOD_PAIRS["0.27"])
    return f"pip install apache-tvm=={tvm} apache-tvm-ffi=={ffi}"


def find_adapter(given):
    if given:
        return given
    here = os.path.dirname(os.path.abspath(__file__))
    return os.environ.get("PASSDIFF_TVM_ADAPTER") or os.path.join(os.path.dirname(here), ADAPTER)


def _import_all(adapter):
    import tvm
    import tvm.relax  # noqa: F401
    from tvm.script import relax  # noqa: F401  (as programs with TVMScript do: some passes only work after it)

    # Loaded after tvm, so that it binds, by its soname, to the libtvm_ffi that is already there.
    ctypes.CDLL(adapter, ctypes.RTLD_LOCAL)
    return tvm


def _survives_trial(adapter):
    """Does a child that imports tvm, builds a module and prints it with metadata live?"""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            tvm = _import_all(adapter)
            from tvm import relax

            x = relax.Var("x", relax.TensorType((2,), "float32") if hasattr(relax, "TensorType") else relax.TensorStructInfo((2,), "float32"))
            builder = relax.BlockBuilder()
            with builder.function("main", [x]):
                builder.emit_func_output(builder.emit(relax.op.add(x, relax.const(1.0, "float32"))))
            module = builder.get()
            module.script(show_meta=True)
            tvm.get_global_func("passdiff.encode")(module)
            status = 0
        finally:
            os._exit(status)
    return os.waitpid(child, 0)[1] == 0


def _check_versions(adapter):
    version, ffi = _installed("apache-tvm"), _installed("apache-tvm-ffi")
    if version is None:
        return
    numbers = re.match(r"(\d+)\.(\d+)", version)
    if numbers and tuple(map(int, numbers.groups())) < OLDEST:
        raise HostError("host.tvm-version", f"TVM {version} is older than 0.25, the oldest that passdiff drives: {_remedy(None)}")
    good = GOOD_PAIRS.get(_series(version))
    if ffi is None or (good and ffi == good[1]):
        return
    if (good and ffi.startswith(KNOWN_BAD_FFI)) or not _survives_trial(adapter):
        raise HostError("host.ffi-version", f"TVM {version} does not work with apache-tvm-ffi {ffi}: {_remedy(version)}")


def load(adapter):
    adapter = find_adapter(adapter)
    if not os.path.exists(adapter):
        raise HostError("host.no-adapter", f"there is no {adapter}: build passdiff with -DPASSDIFF_TVM_ADAPTER=ON")
    _check_versions(adapter)
    try:
        import tvm
    except ModuleNotFoundError as error:
        raise HostError("host.no-tvm", f"this Python has no {error.name}: {_remedy(None)}, or name another Python") from error
    except Exception as error:
        last = traceback.format_exception_only(error)[-1]
        raise HostError("host.tvm-version", f"import tvm fails: {last}; {_remedy(_installed('apache-tvm'))}") from error
    try:
        _import_all(adapter)
        tvm.get_global_func("passdiff.connect")(-1, 0)
    except Exception as error:
        raise HostError("host.adapter", f"the adapter {adapter} does not fit TVM {tvm.__version__}: {error}") from error
    return {
        "version": _installed("apache-tvm") or tvm.__version__,
        "ffi": _installed("apache-tvm-ffi") or "",
        "python": platform.python_version(),
    }
