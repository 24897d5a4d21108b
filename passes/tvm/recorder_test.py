"""Runs programs under the recorder: python recorder_test.py RECORDER_FOLDER, under the Python that has tvm."""

import glob
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

RECORDER = sys.argv.pop() if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "recorder")

MODULE = """
import numpy as np
import tvm
from tvm import relax
from tvm.script import ir as I, relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), w: R.Tensor((4, 4), "float32")):
        with R.dataflow():
            y = R.add(x, x)
            z = R.matmul(y, w)
            R.output(z)
        return z
"""


class RecorderTest(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.out = os.path.join(self.temporary.name, "out")
        self.program = os.path.join(self.temporary.name, "program.py")

    def tearDown(self):
        self.temporary.cleanup()

    def start(self, text):
        with open(self.program, "w", encoding="utf-8") as file:
            file.write(MODULE + text)
        environment = {**os.environ, "PYTHONPATH": RECORDER, "PASSDIFF_RECORD": self.out}
        return subprocess.Popen(
            [sys.executable, "program.py"],
            cwd=self.temporary.name, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def record(self, text):
        process = self.start(text)
        printed, errors = process.communicate(timeout=300)
        self.assertEqual(process.returncode, 0, errors)
        self.assertNotIn("sitecustomize", errors)
        self.assertFalse([line for line in self.log() if "fault" in line])
        return printed

    def log(self):
        with open(os.path.join(self.out, "applications.jsonl"), encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    def cases(self):
        """(passes, folder) of what was recorded, in the order of the applications."""
        folders = [os.path.join(self.out, line["folder"]) for line in self.log() if "folder" in line]
        return [(self.case(folder)["passes"], folder) for folder in folders]

    def case(self, folder):
        with open(os.path.join(folder, "case.json"), encoding="utf-8") as file:
            return json.load(file)

    def text(self, folder, name):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            return file.read()

    def test_an_application_is_a_case_with_its_options(self):
        self.record("relax.transform.DeadCodeElimination(['main'])(Module)\n")
        [(passes, folder)] = self.cases()
        self.assertEqual(passes, [["DeadCodeElimination", {"entry_functions": ["main"]}]])
        line = MODULE.count("\n") + 1
        self.assertEqual(self.case(folder)["origin"], f"program.py:{line}")
        self.assertIn("R.matmul(y, w", self.text(folder, "source.py"))
        self.assertEqual(self.text(folder, "source.py"), self.text(folder, "target.py"))

    def test_equal_applications_are_one_folder(self):
        self.record("for _ in range(3):\n    relax.transform.FoldConstant()(Module)\n")
        self.assertEqual(len(self.log()), 3)
        self.assertEqual(len(glob.glob(self.out + "/*/*/case.json")), 1)

    def test_options_are_json_and_what_json_lacks_is_tagged(self):
        self.record(
            "relax.transform.BindParams('main', {'w': np.ones((4, 4), 'float32')})(Module)\n"
            "relax.transform.BindSymbolicVars({Module['main'].params[0].ty.shape[0]: 3})(Module)\n"
            "relax.transform.CombineParallelMatmul(lambda *_: True)(Module)\n")
        bind, symbolic, combine = [passes[0][1] for passes, _ in self.cases()]
        self.assertEqual(bind["func_name"], "main")
        self.assertEqual(bind["params"]["w"]["$tensor"]["shape"], [4, 4])
        self.assertEqual(symbolic, {"binding_map": {"n": 3}})
        self.assertIn("lambda", combine["check"]["$opaque"])

    def test_the_current_target_is_kept_with_its_host(self):
        self.record(
            "with tvm.target.Target({'kind': 'cuda', 'max_num_threads': 64}, host='llvm'):\n"
            "    relax.transform.FoldConstant()(Module)\n"
            "    tvm.transform.Sequential([relax.transform.Normalize()])(Module)\n"
            "relax.transform.FoldConstant()(Module)\n")
        [under, *inner, without] = [passes for passes, _ in self.cases()]
        target = under[0][1]["$target"]
        self.assertEqual((target["kind"], target["host"]["kind"], target["max_num_threads"]), ("cuda", "llvm", 64))
        self.assertEqual(inner, [[["Normalize", {"$target": target}]]] * len(inner))
        self.assertEqual(without, [["FoldConstant", {}]])

    def test_variables_are_told_from_symbolic_sizes(self):
        self.record(
            "n = Module['main'].params[0].ty.shape[0]\n"
            "try:\n    relax.transform.Gradient('main', require_grads=[Module['main'].params[1], n])(Module)\n"
            "except Exception:\n    pass\n")
        (passes, _), = self.cases()
        options = passes[0][1]
        self.assertEqual(options["require_grads"], [{"$param": "w"}, {"$symbol": "n"}])

    def test_variables_that_the_program_makes_for_a_pass_are_opaque(self):
        self.record(
            "kind = relax.AnyType() if hasattr(relax, 'AnyType') else relax.ObjectStructInfo()\n"
            "try:\n    relax.transform.LazyTransformParams(extra_set_item_params=[relax.Var('setter', kind)])(Module)\n"
            "except Exception:\n    pass\n")
        (passes, _), = self.cases()
        self.assertEqual(list(passes[0][1]["extra_set_item_params"][0]), ["$opaque"])

    def test_a_sequence_is_its_passes_and_the_pipeline_of_them(self):
        self.record(
            "passes = [relax.transform.ConvertToDataflow(min_size=1), relax.transform.LegalizeOps()]\n"
            "tvm.transform.Sequential(passes)(Module)\n")
        names = [[name for name, _ in passes] for passes, _ in self.cases()]
        self.assertEqual(names, [["ConvertToDataflow"], ["LegalizeOps"], ["ConvertToDataflow", "LegalizeOps"]])

    def test_passes_in_python_are_recorded_with_what_they_call(self):
        self.record(
            "@tvm.transform.module_pass(opt_level=0, name='Mine')\n"
            "def mine(module, context):\n"
            "    return relax.transform.FoldConstant()(module)\n"
            "@relax.transform.function_pass(opt_level=0, name='Same')\n"
            "def same(function, module, context):\n"
            "    return function\n"
            "mine(Module)\n"
            "same(Module)\n")
        recorded = [(os.path.basename(os.path.dirname(folder)), passes) for passes, folder in self.cases()]
        self.assertEqual(recorded, [
            ("FoldConstant", [["FoldConstant", {}]]), ("Mine", [["FoldConstant", {}]]), ("Same", [["Same", {}]])])

    def test_a_pass_that_throws_has_no_target(self):
        printed = self.record(
            "try:\n    relax.transform.BindParams('main', {'w': np.ones((5, 4), 'float32')})(Module)\n"
            "except Exception:\n    print('thrown')\n"
            "relax.transform.FoldConstant()(Module)\n")
        self.assertEqual(printed, "thrown\n")
        (_, failed), (_, whole) = self.cases()
        self.assertEqual(sorted(os.listdir(failed)), ["README.md", "case.json", "error.txt", "source.py"])
        self.assertEqual(sorted(os.listdir(whole)), ["README.md", "case.json", "source.py", "target.py"])

    def test_instruments_of_the_program_still_run(self):
        printed = self.record(
            "@tvm.ir.instrument.pass_instrument\n"
            "class Tell:\n"
            "    def run_before_pass(self, module, info):\n"
            "        print(info.name)\n"
            "with tvm.transform.PassContext(instruments=[Tell()]):\n"
            "    relax.transform.Normalize()(Module)\n")
        self.assertEqual(printed, "Normalize\n")
        self.assertEqual(len(self.cases()), 1)

    def test_what_was_recorded_before_a_kill_is_whole(self):
        process = self.start(
            "import sys\n"
            "for size in range(10000):\n"
            "    relax.transform.BindSymbolicVars({'n': size + 1})(Module)\n"
            "    if size == 20:\n"
            "        print('twenty', flush=True)\n")
        self.assertEqual(process.stdout.readline(), "twenty\n")
        time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        whole = [path for path in glob.glob(self.out + "/*/*") if not path.endswith(".partial")]
        self.assertGreaterEqual(len(whole), 20)
        for folder in whole:
            self.assertEqual(sorted(os.listdir(folder)), ["README.md", "case.json", "source.py", "target.py"])
        for folder in {line["folder"] for line in self.log()}:
            self.assertTrue(os.path.exists(os.path.join(self.out, folder, "case.json")))


if __name__ == "__main__":
    unittest.main()
