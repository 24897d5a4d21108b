"""Drives host.py as passdiff does: python host_test.py PATH/host.py, under the Python that has tvm."""

import base64
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import unittest

HOST = sys.argv.pop() if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "host.py")
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import host_frames

SOURCE = """
@I.ir_module
class M:
    @R.function
    def main(x: R.Tensor((2,), "float32"), w: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            a = R.multiply(w, w)
            b = a
            gv = R.add(x, b)
            R.output(gv)
        return gv
"""

PLUGIN = """
import ctypes, os
import tvm, passdiff_plugin
from tvm import relax

def in_pass(name, work):
    @tvm.transform.module_pass(opt_level=0)
    def run(module, context):
        work()
        return module
    passdiff_plugin.register(name, run, numerics="exact", idempotent=True)

def forever():
    while True:
        pass

def nothing_there():
    raise KeyError("gone")

def need_cuda():
    assert tvm.target.Target.current().kind.name == "cuda"

in_pass("NeedsCuda", need_cuda)
in_pass("Segfaults", lambda: ctypes.string_at(0))
in_pass("Exits", lambda: os._exit(7))
in_pass("Loops", forever)
in_pass("Raises", nothing_there)
def fail_at_first(failures=[]):
    failures.append("first")
    if len(failures) == 1:
        raise KeyError("first")

in_pass("FailsAtFirst", fail_at_first)
in_pass("EatsMemory", lambda: bytearray(1 << 40))

@tvm.transform.module_pass(opt_level=0)
def add_odd_attribute(module, context):
    return module.with_attr("odd", tvm.ir.SourceName("a name"))
passdiff_plugin.register("AddsOddAttribute", add_odd_attribute)

runs = []

@tvm.transform.module_pass(opt_level=0)
def count_runs(module, context):
    runs.append(module)
    return module.with_attr("runs", len(runs))
passdiff_plugin.register("CountsRuns", count_runs)

passdiff_plugin.register("Canonicalize", relax.transform.CanonicalizeBindings, convention="unchanged")
"""


class Host:
    def __init__(self, *arguments):
        self.connection, theirs = socket.socketpair()
        environment = dict(os.environ, PASSDIFF_SOCKET=str(theirs.fileno()))
        self.process = subprocess.Popen([sys.executable, HOST, *arguments], pass_fds=[theirs.fileno()], env=environment)
        theirs.close()
        self.hello = self.receive()[0]
        self.worker = None if "error" in self.hello else self.receive()[0]["ready"]
        self.last_id = 0

    def read(self, size):
        data = self.connection.recv(size, socket.MSG_WAITALL) if size else b""
        while len(data) < size:
            more = self.connection.recv(size - len(data))
            if not more:
                raise EOFError("the host is gone")
            data += more
        return data

    def receive(self):
        """The header of the next frame, and all parts; None once the host is gone."""
        try:
            count = int.from_bytes(self.read(4), "little")
        except EOFError:
            return None
        parts = [self.read(int.from_bytes(self.read(4), "little")) for _ in range(count)]
        return json.loads(parts[0]), parts

    def ask(self, request, bodies=(), kill_after=None):
        """The reply, or the `died` frame after which a fresh worker is ready."""
        self.last_id += 1
        self.connection.sendall(host_frames.encode({"id": self.last_id, **request}, bodies))
        if kill_after is not None:
            time.sleep(kill_after)
            os.kill(self.worker, signal.SIGKILL)
        while "progress" in (reply := self.receive())[0] and "died" not in reply[0]:
            pass
        if "died" in reply[0]:
            self.worker = self.receive()[0]["ready"]
        return reply

    def close(self):
        self.connection.close()
        self.process.wait(30)


def calls(*names):
    return [[name, {}] for name in names]


def floats(*values):
    return {"tensor": "float32", "shape": [len(values)], "data": base64.b64encode(struct.pack(f"<{len(values)}f", *values)).decode()}


class HostTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.plugin = os.path.join(cls.folder.name, "plugin.py")
        with open(cls.plugin, "w") as file:
            file.write(PLUGIN)
        cls.host = Host("--plugin", cls.plugin)
        cls.document = cls.host.ask({"do": "parse", "text": SOURCE})[1][1]

    @classmethod
    def tearDownClass(cls):
        cls.host.close()
        cls.folder.cleanup()

    def transform(self, *pipelines, **request):
        kill_after = request.pop("kill_after", None)
        request = {"do": "transform", "module": 1, "pipelines": list(pipelines), "well_formed": True, **request}
        return self.host.ask(request, [self.document], kill_after)

    def execute(self, pipeline, steps, document=None, **code):
        arguments = [floats(1, 2), floats(3, 4)]
        request = {"do": "execute", "module": 1, "pipeline": pipeline, "plan": {"steps": steps}, "arguments": arguments, **code}
        return self.host.ask(request, [document or self.document])[0]

    def test_hello_lists_the_passes_of_tvm_and_of_plugins(self):
        passes = {entry["name"]: entry for entry in self.host.hello["passes"]}
        self.assertEqual(self.host.hello["subject"], "tvm")
        self.assertFalse(passes["LiftTransformParams"]["plugin"])
        self.assertEqual(passes["Canonicalize"]["contract"], {"convention": "unchanged"})

    def test_a_pipeline_yields_a_target_or_says_that_nothing_changed(self):
        reply, parts = self.transform(calls("CanonicalizeBindings"), calls("Normalize"))
        changed, unchanged = reply["results"]
        self.assertTrue(changed["well_formed"] and not changed["input_mutated"])
        self.assertLess(len(parts[changed["module"]]), len(self.document))
        self.assertTrue(unchanged["unchanged"])

    def test_snapshots_and_sequential_agree_with_the_target(self):
        pipeline = calls("CanonicalizeBindings", "LiftTransformParams")
        direct, parts = self.transform(pipeline, snapshots=True)
        sequential, other = self.transform(pipeline, together=2)
        first, last = direct["results"][0]["snapshots"]
        target = parts[direct["results"][0]["module"]]
        self.assertNotEqual(parts[first], target)
        self.assertEqual(parts[last], target)
        self.assertEqual(other[sequential["results"][0]["module"]], target)

    def test_a_pass_runs_under_the_target_that_its_options_name(self):
        under = {"$target": {"kind": "cuda", "host": {"kind": "llvm"}}}
        results = self.transform(calls("NeedsCuda"), [["NeedsCuda", under]], calls("NeedsCuda"))[0]["results"]
        self.assertEqual([result["ok"] for result in results], [False, True, False])

    def test_schedule_rules_leave_what_they_are_given_as_it_is(self):
        legal, scheduled = calls("LegalizeOps"), calls("LegalizeOps", "dlight.gpu.Fallback")
        alone, parts = self.transform(legal)
        reply, others = self.transform(scheduled, legal)
        self.assertEqual(others[reply["results"][1]["module"]], parts[alone["results"][0]["module"]])
        self.assertNotEqual(others[reply["results"][0]["module"]], others[reply["results"][1]["module"]])

    def test_what_passes_made_of_a_source_is_remembered_unless_the_last_one_is_to_run_again(self):
        def target(*names, **request):
            reply, parts = self.transform(calls(*names), **request)
            return parts[reply["results"][0]["module"]]

        first = target("CountsRuns")
        self.assertEqual(target("CountsRuns"), first)
        self.assertEqual(target("Normalize", "CountsRuns"), first)  # Normalize changes nothing
        self.assertEqual(target("CountsRuns", "Normalize", again=True), first)
        self.assertNotEqual(target("CountsRuns", again=True), first)
        self.assertNotEqual(target("CountsRuns", together=1), first)

    def test_a_failure_is_remembered_too(self):
        reply, _ = self.transform(calls("FailsAtFirst"), calls("Normalize", "FailsAtFirst", "CanonicalizeBindings"))
        self.assertEqual([result["ok"] for result in reply["results"]], [False, False])
        self.assertEqual([result["pass_index"] for result in reply["results"]], [0, 1])

    def test_what_a_document_lacks_is_named(self):
        result = self.transform(calls("AddsOddAttribute"))[0]["results"][0]
        self.assertEqual(result["unreadable"], "attr odd")

    def test_legalised_modules_are_documents_that_can_be_sent_back(self):
        reply, parts = self.transform(calls("LegalizeOps"))
        legalised = parts[reply["results"][0]["module"]]
        again = self.host.ask({"do": "transform", "module": 1, "pipelines": [calls("Normalize")]}, [legalised])[0]
        self.assertTrue(again["built"])
        self.assertTrue(again["results"][0]["unchanged"])

    def test_an_error_names_its_throw_site_and_its_pass(self):
        result = self.transform(calls("Normalize", "Raises"))[0]["results"][0]
        self.assertEqual((result["ok"], result["pass_index"]), (False, 1))
        self.assertEqual(result["error"]["site"], "KeyError@plugin.py:nothing_there")

    def test_a_pass_that_cannot_be_made_costs_its_own_pipeline_only(self):
        unknown, known = self.transform(calls("NoSuchPass"), calls("Normalize"))[0]["results"]
        self.assertEqual(unknown["error"]["site"], "UnknownPass@options")
        self.assertTrue(known["ok"])

    def test_a_plugin_registers_passes_under_names_of_their_own(self):
        pass_object = "tvm.transform.Sequential([])"
        for lines, text in (
            (f'register("LegalizeOps", {pass_object})', "LegalizeOps: TVM has a pass of this name"),
            (f'register("Own", {pass_object}); register("Own", {pass_object})', "Own: a pass of this name is registered already"),
            ('register("Own", lambda: None)', "Own makes a NoneType, which is no Pass"),
        ):
            host = self.host_of(lines)
            self.assertEqual(host.hello.get("error"), "host.plugin", host.hello)
            self.assertIn(text, host.hello["message"])
            self.assertNotIn("\n", host.hello["message"].strip())
            host.close()

    def test_the_listing_says_which_passes_need_options(self):
        host = self.host_of('register("Plain", lambda depth=1: tvm.transform.Sequential([])); register("Deep", lambda depth: tvm.transform.Sequential([]))')
        unmade = {entry["name"]: entry["unmade"] for entry in host.hello["passes"] if entry["plugin"]}
        self.assertEqual(unmade["Plain"], "")
        self.assertIn("'depth'", unmade["Deep"])
        host.close()

    def host_of(self, lines):
        """A host with a plugin of these lines."""
        with tempfile.NamedTemporaryFile("w", suffix=".py") as plugin:
            plugin.write(f"import tvm\nfrom passdiff_plugin import register\n{lines}\n")
            plugin.flush()
            return Host("--plugin", plugin.name)

    def test_options_name_functions_and_patterns(self):
        patterns = ["FuseOpsByPattern", {"patterns": {"$patterns": ["added_twice", "multiplied", "matmul"]}}]
        forget = ["UpdateParamType", {"ty_func": {"$callable": "forget_shapes"}}]
        fused, forgotten, nothing = self.transform([patterns], [forget], [["UpdateParamType", {"ty_func": {"$callable": "never"}}]])[0][
            "results"]
        self.assertTrue(fused["ok"], fused)
        self.assertTrue(forgotten["ok"] and "module" in forgotten, forgotten)
        self.assertFalse(nothing["ok"], "False is no type")
        own = {"customize_legalize_map": {"relax.multiply": {"$callable": "multiply_exchanged"}}}
        usual, exchanged = self.transform([["LegalizeOps", {}]], [["LegalizeOps", own]])[0]["results"]
        self.assertTrue(usual["ok"] and exchanged["ok"], exchanged)

    def test_passes_that_were_made_before_are_told_apart_by_their_options(self):
        def documents():
            reply, parts = self.transform(*([["LegalizeOps", {"skip_ops": [op]}]] for op in ("relax.add", "relax.multiply")), again=True)
            return [parts[result["module"]] for result in reply["results"]]

        first = documents()
        self.assertNotEqual(*first)
        self.assertEqual(documents(), first)

    def test_a_failed_allocation_is_a_memory_error(self):
        result = self.transform(calls("EatsMemory"))[0]["results"][0]
        self.assertEqual(result["error"]["kind"], "MemoryError")

    def test_a_death_names_the_culprit_and_the_next_request_is_served(self):
        for name, signal_name, code in (("Segfaults", "SIGSEGV", None), ("Exits", None, 7)):
            died = self.transform(calls("Normalize"), calls("Normalize", name))[0]
            self.assertEqual((died["signal"], died["exit"]), (signal_name, code))
            self.assertEqual((died["request"], died["progress"], died["pass"]), (self.host.last_id, 1, 1))
        self.assertTrue(self.transform(calls("Normalize"))[0]["built"])

    def test_a_killed_worker_names_the_pass_it_hung_in(self):
        died = self.transform(calls("Normalize"), calls("Loops"), kill_after=1)[0]
        self.assertEqual((died["signal"], died["progress"], died["pass"]), ("SIGKILL", 1, 0))

    def test_a_document_of_the_host_is_built_again(self):
        # Of these two only the first tells the class of its attributes; the document says that of the second.
        text = SOURCE.replace("R.multiply(w, w)", "R.permute_dims(w, axes=[0])").replace("b = a", 'b = R.sum(a, axis=[0], keepdims=True)')
        parts = self.host.ask({"do": "parse", "text": text})[1]
        self.assertIn(b"StatisticalAttrs", parts[1])
        request = {"do": "transform", "module": 1, "pipelines": [calls("Normalize")]}
        reply = self.host.ask(request, [parts[1]])[0]
        self.assertTrue(reply["built"] and reply["results"][0]["unchanged"], reply)

    def test_attributes_of_every_kind_are_built_again(self):
        text = """
@I.ir_module
class M:
    @R.function
    def main(x: R.Tensor((2, 6), "float16"), y: R.Tensor((1, 2, 4, 4), "float32"), z: R.Tensor((3,), "int8")):
        R.func_attr({"nested": [[1.5, []], ["a", True]], "map": {"k": {"l": 0, "none": None}}})
        a = R.layout_transform(x, index_map=lambda i, j: (i, j // 4, j % 4), pad_value=2.5)
        b = R.image.resize2d(y, (8, 8), roi=[0.0, 0.5, 1.0, 1.0])
        c = R.layout_transform(z, index_map=lambda i: ((i + 1) // 2, i % 2), pad_value=-1)
        return a, b, c
"""
        parts = self.host.ask({"do": "parse", "text": text})[1]
        request = {"do": "transform", "module": 1, "pipelines": [calls("Normalize")]}
        reply = self.host.ask(request, [parts[1]])[0]
        self.assertTrue(reply["built"] and reply["results"][0]["unchanged"], reply)

    def test_a_document_that_is_none_is_refused(self):
        reply = self.host.ask({"do": "transform", "module": 1, "pipelines": [calls("Normalize")]}, [b"\xa1\x61"])[0]
        self.assertEqual((reply["built"], reply["error"]["kind"]), (False, "DocumentError"))

    def test_execution_follows_the_plan(self):
        direct = self.execute([], [{"function": "main", "args": [{"arg": 0}, {"arg": 1}]}])
        self.assertEqual(direct["value"], floats(10, 18))
        lifted = [
            {"function": "main_transform_params", "args": [{"tuple": [{"arg": 1}]}]},
            {"function": "main", "args": [{"arg": 0}, {"step": 0, "field": 0}]},
        ]
        self.assertEqual(self.execute(calls("LiftTransformParams"), lifted)["value"], floats(10, 18))

    def test_functions_of_tensor_ir_return_what_they_leave_in_their_buffers(self):
        text = """
@I.ir_module
class M:
    @T.prim_func
    def add(A: T.Buffer((2,), "float32"), B: T.Buffer((2,), "float32")):
        for i in range(2):
            B[i] = A[i] + B[i]
"""
        document = self.host.ask({"do": "parse", "text": text})[1][1]
        steps = [{"function": "add", "args": [{"arg": 0}, {"arg": 1}]}]
        for pipeline in ([], calls("tirx.StorageRewrite")):
            reply = self.execute(pipeline, steps, document)
            self.assertEqual(reply.get("value"), {"tuple": [floats(1, 2), floats(4, 6)]}, reply)

    def test_callbacks_hand_out_and_collect_values(self):
        get = [{"function": "main", "args": [{"arg": 0}, {"get_callback": [{"arg": 1}]}]}]
        self.assertEqual(self.execute(calls("LazyGetInput"), get)["value"], floats(10, 18))
        put = [{"function": "main", "args": [{"arg": 0}, {"set_callback": True}, {"arg": 1}]}]
        self.assertEqual(self.execute(calls("LazySetOutput"), put)["value"], {"tuple": [floats(10, 18)]})

    def test_a_plan_that_does_not_fit_fails_at_its_stage(self):
        reply = self.execute([], [{"function": "main", "args": [{"arg": 0}]}])
        self.assertEqual((reply["ok"], reply["stage"]), (False, "run"))

    def test_code_that_is_only_compiled_does_not_run(self):
        steps = [{"function": "main", "args": [{"arg": 0}]}]  # a plan that does not fit
        reply = self.execute([], steps, only_compiled=True)
        self.assertEqual(reply.get("value"), {"tuple": []}, reply)

    def test_text_reads_back_as_the_same_document(self):
        text = self.host.ask({"do": "text", "module": 1}, [self.document])[0]["text"]
        self.assertEqual(self.host.ask({"do": "parse", "text": text})[1][1], self.document)

    def test_the_host_ends_with_its_client_even_in_a_loop(self):
        host = Host("--plugin", self.plugin)
        request = {"id": 1, "do": "transform", "module": 1, "pipelines": [calls("Loops")]}
        host.connection.sendall(host_frames.encode(request, [self.document]))
        time.sleep(0.5)
        host.close()
        self.assertEqual(host.process.returncode, 0)

    def test_hello_says_what_is_missing(self):
        for arguments, code in ((("--adapter", "/nonexistent.so"), "host.no-adapter"), (("--plugin", "/nonexistent.py"), "host.plugin")):
            host = Host(*arguments)
            self.assertEqual(host.hello["error"], code)
            self.assertNotIn("\n", host.hello["message"])
            host.close()


if __name__ == "__main__":
    unittest.main()
