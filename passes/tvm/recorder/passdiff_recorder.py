"""Writes each application of a TVM pass in this process as a case folder.

An instrument in every PassContext sees each pass begin and end, with the module before and after; wrapped constructors
tell the options, which TVM's passes do not. Recorded are the innermost passes that have a constructor in relax.transform
or run no others, and the outermost, which then are a pipeline. Folders are named by a hash of what is in them, so that
equal applications are one folder, whichever process records them.
"""

import functools
import importlib.abc
import importlib.machinery
import inspect
import os
import sys
import threading

import passdiff_case

NOT_PASSES = {"FunctionPass", "DataflowBlockPass", "FusionPattern", "PatternCheckContext"}
TRANSFORM = "tvm.relax.transform"
# Passes of relax.distributed.transform, by what PassInfo calls them.
DISTRIBUTED = {
    name: f"distributed.{name}"
    for name in ("PropagateSharding", "LegalizeRedistribute", "LowerGlobalViewToLocalView", "LowerDistIR")
}


def install_when_tvm_is_imported(folder):
    sys.meta_path.insert(0, _Importer(os.path.abspath(folder)))


class _Importer(importlib.abc.MetaPathFinder):
    """Lets relax.transform be imported as it would be, and installs the recorder before anything uses it."""

    def __init__(self, folder):
        self._folder = folder

    def find_spec(self, name, path, target=None):
        if name != TRANSFORM:
            return None
        sys.meta_path.remove(self)
        spec = importlib.machinery.PathFinder.find_spec(name, path)
        if spec is None or spec.loader is None:
            return None
        execute = spec.loader.exec_module

        def exec_module(module):
            execute(module)
            _install(module, self._folder)

        spec.loader.exec_module = exec_module
        return spec


class Application:
    """A pass that has begun and not yet ended."""

    def __init__(self, info, made, is_innermost):
        self.info_name = str(info.name)
        self.made = made  # the Pass object, if it is known
        self.is_innermost = is_innermost
        self.name = self.info_name
        self.options = {}
        self.before = None  # the text of the module; None where it is not needed
        self.where = ""
        self.context = ""
        self.upcoming = list(made.passes) if hasattr(made, "passes") else []
        self.inner = 0
        self.leaves = []  # (name, options, before, after) of the recorded applications within, in order


class Recorder:
    def __init__(self, folder):
        self._writer = passdiff_case.Writer(folder)
        self._options = {}  # the address of a Pass: the Pass itself, so that the address stays its own, its name, arguments
        self._names = dict(DISTRIBUTED)  # of constructors, by what PassInfo calls the passes that they make
        self._state = threading.local()

    def note_construction(self, name, made, arguments):
        self._options[made.__chandle__()] = (made, name, arguments)
        if not hasattr(made, "passes"):  # all Sequentials have one name
            self._names.setdefault(str(made.info.name), name)

    def about_to_call(self, made):
        self._thread().pending = made

    def depth(self):
        return len(self._thread().running)

    def _thread(self):
        if not hasattr(self._state, "running"):
            self._state.running, self._state.pending, self._state.skipped = [], None, 0
        return self._state

    def begin(self, module, info):
        thread = self._thread()
        running, pending, thread.pending = thread.running, thread.pending, None
        parent = running[-1] if running else None
        made = pending if _is_named(pending, info) else _next_of(parent, info)
        known = made is not None and self._options.get(made.__chandle__())
        application = Application(info, made, bool(known) or (parent is not None and parent.is_innermost))
        running.append(application)
        if parent is not None:
            parent.inner += 1
            if parent.is_innermost:
                return
        if known:
            application.name = known[1]
            application.options = passdiff_case.options_document(known[2], module)
        else:
            application.name = self._names.get(application.info_name, application.info_name)
        if not passdiff_case.has_relax_functions(module):
            self._writer.leave_out(application.name)
            return
        if parent is None or application.is_innermost or not application.upcoming:
            application.before = passdiff_case.text_of(module)
            application.where = passdiff_case.location()
            application.context = passdiff_case.context_of()
            target = passdiff_case.target_document()
            if target is not None:
                application.options = {**application.options, passdiff_case.TARGET: target}

    def end(self, module):
        running = self._thread().running
        if not running:
            return
        application = running.pop()
        if application.before is None:
            self._pass_on_leaves(application, running)
            return
        is_leaf = application.inner == 0 or application.is_innermost
        if not is_leaf and running:
            self._pass_on_leaves(application, running)
            return
        after = passdiff_case.text_of(module)
        leaf = (application.name, application.options, application.before, after)
        passes = [(application.name, application.options)]
        if not is_leaf:
            passes = _pipeline_of(application, after) or passes
        self._writer.write(application, passes, after, error=None)
        if running and is_leaf:
            running[-1].leaves.append(leaf)

    @staticmethod
    def _pass_on_leaves(application, running):
        if running:
            running[-1].leaves.extend(application.leaves)

    def failed(self, depth, error):
        """A pass threw: those that had begun since end here. The innermost that is recorded is the culprit."""
        running = self._thread().running
        self._thread().pending = None
        written = False
        while len(running) > depth:
            application = running.pop()
            if application.before is None or written:
                continue
            self._writer.write(application, [(application.name, application.options)], None, error)
            written = True

    def fault(self, error):
        self._writer.fault(error)


def _is_named(made, info):
    # Some passes of TVM 0.27 lack the property in Python (relax.dpl.ExprPatternRewriter).
    return made is not None and hasattr(made, "info") and made.info.name == info.name


def _next_of(parent, info):
    """The Pass object of a Sequential that begins: the next one of that name, since some of them may be left out."""
    if parent is None:
        return None
    for i, made in enumerate(parent.upcoming):
        if _is_named(made, info):
            del parent.upcoming[: i + 1]
            return made
    return None


def _pipeline_of(application, after):
    """The passes that ran within, if each took what the one before it gave: nothing else changed the module then."""
    text = application.before
    for _, _, before, result in application.leaves:
        if before != text:
            return None
        text = result
    return [(name, options) for name, options, _, _ in application.leaves] if text == after else None


def _install(transform, folder):
    import tvm
    from tvm.ir.instrument import PassInstrument, pass_instrument

    recorder = Recorder(folder)
    _wrap_constructors(transform, recorder)

    def guarded(act):
        """A fault of the recorder is written down, and is none of the program's business."""

        @functools.wraps(act)
        def call(*arguments):
            try:
                return act(*arguments)
            except Exception as error:  # noqa: BLE001
                recorder.fault(error)
                return None

        return call

    @pass_instrument
    class PassdiffRecorder(PassInstrument):
        @guarded
        def run_before_pass(self, module, info):
            recorder.begin(module, info)

        @guarded
        def run_after_pass(self, module, info):
            recorder.end(module)

    _wrap_calls(tvm.ir.transform, recorder, PassdiffRecorder(), guarded)


def _wrap_calls(transform, recorder, instrument, guarded):
    Pass, PassContext = transform.Pass, transform.PassContext
    call, construct = Pass.__call__, PassContext.__init__

    @functools.wraps(construct)
    def init(self, opt_level=2, required_pass=None, disabled_pass=None, instruments=None, config=None):
        others = [other for other in instruments or [] if not instrument.same_as(other)]
        construct(self, opt_level, required_pass, disabled_pass, [*others, instrument], config)

    @guarded
    def watch_context():
        # The context that is there if the program enters none, or one that was made elsewhere than in Python.
        current = PassContext.current()
        if not any(instrument.same_as(other) for other in current.instruments):
            current.override_instruments([*current.instruments, instrument])

    def run(self, mod):
        watch_context()
        depth = recorder.depth()
        recorder.about_to_call(self)
        try:
            return call(self, mod)
        except BaseException as error:
            guarded(recorder.failed)(depth, error)
            raise

    PassContext.__init__ = init
    Pass.__call__ = functools.wraps(call)(run)


def _wrap_constructors(transform, recorder):
    modules = [transform, getattr(transform, "transform", None)]
    for name, maker in list(vars(transform).items()):
        if not name[0].isupper() or name in NOT_PASSES or not callable(maker):
            continue
        if inspect.isclass(maker):
            maker.__init__ = _noting(name, maker.__init__, recorder, is_method=True)
            continue
        noting = _noting(name, maker, recorder, is_method=False)
        for module in modules:
            if getattr(module, name, None) is maker:
                setattr(module, name, noting)


def _noting(name, maker, recorder, is_method):
    try:
        signature = inspect.signature(maker)
    except (TypeError, ValueError):
        signature = None

    @functools.wraps(maker)
    def make(*args, **kwargs):
        made = maker(*args, **kwargs)
        try:
            noted = args[0] if is_method else made
            recorder.note_construction(name, noted, passdiff_case.by_name(signature, args, kwargs, is_method))
        except Exception as error:  # noqa: BLE001
            recorder.fault(error)
        return made

    return make
