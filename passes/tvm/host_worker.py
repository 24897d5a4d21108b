"""The worker: serves requests until the client or its own life ends."""

import json
import os

import tvm

import host_blocks
import host_execute
import host_frames
from host_passes import UnknownPass

STDERR_KEPT = 1 << 20
TRIM_EVERY = 256

_transform = tvm.get_global_func("passdiff.transform")
_build = tvm.get_global_func("passdiff.build")
_encode = tvm.get_global_func("passdiff.encode")
_infer = tvm.get_global_func("passdiff.infer")
_op_names = tvm.get_global_func("ir.ListOpNames")
_attempt = tvm.get_global_func("passdiff.attempt")
_send = tvm.get_global_func("passdiff.send")
_serve = tvm.get_global_func("passdiff.serve")


def attempt(work):
    """(what `work` returns, None), or (None, an ERROR of PROTOCOL.md)."""
    returned = []

    def call():
        returned.append(work())

    error = _attempt(call)
    return (None, json.loads(str(error[1]))) if len(error) > 1 else (returned[0], None)


class SourceModule:
    """The request's module, built when an option first asks for it."""

    def __init__(self, document):
        self._document = document
        self.built = None

    def __call__(self):
        if self.built is None:
            self.built = _build(self._document)
        return self.built


class Worker:
    def __init__(self, passes):
        self._passes = passes

    def make_pipeline(self, calls, source):
        return [self._passes.make(name, options, source) for name, options in calls]

    def _pipeline_or_error(self, calls, source):
        """The passes; or, as JSON, the RESULT that says which of them could not be made."""
        made = []
        try:
            for name, options in calls:
                made.append(self._passes.make(name, options, source))
            return made
        except Exception as error:
            kind = "UnknownPass" if isinstance(error, UnknownPass) else type(error).__name__
            report = {"kind": kind, "site": f"{kind}@options", "message": str(error)}
            return json.dumps({"ok": False, "error": report, "pass_index": len(made), "pass_seconds": 0.0, "input_mutated": False})

    def transform(self, request, parts):
        document = parts[request["module"]]
        source = SourceModule(document)
        pipelines = [self._pipeline_or_error(calls, source) for calls in request["pipelines"]]
        get = request.get
        flags = (get("snapshots", False), get("well_formed", False), get("again", False), get("together", 0))
        trust = (get("interprets_constants", False), get("trusts_types", False))
        _transform(request["id"], document, source.built, pipelines, *flags, *trust)

    def execute(self, request, parts):
        stage = host_execute.Stages()
        source, bodies = SourceModule(parts[request["module"]]), []
        result, error = attempt(lambda: host_execute.execute(request, parts, self.make_pipeline, source, stage, bodies))
        if error is None:
            value, overwrote_arguments = result
            return {"ok": True, "value": value, "overwrote_arguments": overwrote_arguments}, bodies
        return {"ok": False, "stage": stage.name, "error": error}, []

    def call(self, request, parts):
        stage = host_execute.Stages()
        source, bodies = SourceModule(parts[request["module"]]), []
        results, error = attempt(lambda: host_execute.call_functions(request["calls"], parts, source, stage, attempt, bodies))
        if error is None:
            return {"ok": True, "results": results}, bodies
        return {"ok": False, "stage": stage.name, "error": error}, []

    def infer(self, request, parts):
        results, bodies = [], []
        for part in request["modules"]:
            document, error = attempt(lambda: bytes(_infer(parts[part])))
            if error is None:
                bodies.append(document)
                results.append({"module": len(bodies)})
            else:
                results.append({"error": error})
        return {"results": results}, bodies

    def analyse(self, request, parts):
        source = SourceModule(parts[request["module"]])

        def work():
            target = host_execute.transformed(request, self.make_pipeline, source, host_execute.Stages())
            block = (target, request["function"], request["block"])
            return host_blocks.undeclared(*block, request["buffer"]) if request["buffer"] else host_blocks.outside_of_domain(*block)

        text, error = attempt(work)
        return ({"text": text} if error is None else {"error": error}), []

    def ops(self, _request, _parts):
        return {"ops": sorted(str(name) for name in _op_names())}, []

    def text(self, request, parts):
        text, error = attempt(lambda: _build(parts[request["module"]]).script(show_meta=True))
        return ({"text": text} if error is None else {"error": error}), []

    def parse(self, request, _):
        def work():
            from tvm.script import from_source

            module = from_source(request["text"])
            if not isinstance(module, tvm.IRModule):
                module = tvm.IRModule.from_expr(module)
            return bytes(_encode(module))

        document, error = attempt(work)
        return ({"module": 1}, [document]) if error is None else ({"error": error}, [])


def _trim_printed():
    if os.fstat(2).st_size > STDERR_KEPT:
        os.ftruncate(2, 0)


def serve(connection, passes, page):
    """Answers requests until the client is gone, which ends the process. `page` is the ProgressPage that the supervisor reads."""
    worker = Worker(passes)
    tvm.get_global_func("passdiff.connect")(connection.fileno(), page.address())
    _send(host_frames.encode({"ready": os.getpid()}))
    handlers = {
        "execute": worker.execute,
        "call": worker.call,
        "infer": worker.infer,
        "analyse": worker.analyse,
        "ops": worker.ops,
        "text": worker.text,
        "parse": worker.parse,
    }
    # FoldConstant and LegalizeOps need a current target.
    with tvm.target.Target("llvm"):
        while True:
            parts = [bytes(part) for part in _serve(TRIM_EVERY)]
            _trim_printed()
            if not parts:
                continue
            request = json.loads(parts[0])
            page.begin(request["id"])
            if request["do"] == "transform":
                worker.transform(request, parts)
            else:
                header, bodies = handlers[request["do"]](request, parts)
                _send(host_frames.encode({"id": request["id"], **header}, bodies))
