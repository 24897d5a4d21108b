// The scripts under the real TVM: they exit 1 where the bug is, 0 where it is not, 2 where they cannot tell.
// Skipped in a build without the adapter, as client_tvm_test.cc is.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "core/tensor/tensor.h"
#include "core/text/text.h"
#include "passes/tvm/client.h"

namespace passdiff {
namespace {

namespace fs = std::filesystem;

#ifdef PASSDIFF_TVM_PYTHON
constexpr std::string_view kPython = PASSDIFF_TVM_PYTHON;
#else
constexpr std::string_view kPython;
#endif

// Passes of which each does wrong in one way, and one that does right.
constexpr std::string_view kFaults = R"python(
import ctypes, tvm
from passdiff_plugin import register
from tvm import relax

def rewriting(rewrite):
    @relax.expr_functor.mutator
    class Rewriter(relax.PyExprMutator):
        def visit_call_(self, call):
            return rewrite(call) if call.op.name == "relax.add" else call

    @tvm.transform.module_pass(opt_level=0)
    def apply(mod, ctx):
        rewriter = Rewriter(mod)
        for name, function in mod.functions_items():
            if isinstance(function, relax.Function):
                rewriter.builder_.update_func(name, rewriter.visit_expr(function))
        return rewriter.builder_.get()

    return apply

@tvm.transform.module_pass(opt_level=0)
def segfault(mod, ctx):
    ctypes.string_at(8)
    return mod

@tvm.transform.module_pass(opt_level=0)
def refuse(mod, ctx):
    raise ValueError("no")

@tvm.transform.module_pass(opt_level=0)
def count(mod, ctx):
    runs = mod["main"].attrs["runs"] if "runs" in mod["main"].attrs else 0
    return tvm.IRModule({mod.get_global_var("main"): mod["main"].with_attr("runs", runs + 1)})

@tvm.transform.module_pass(opt_level=0)
def empty(mod, ctx):
    nothing = tvm.tirx.Evaluate(0)
    return tvm.IRModule({name: f if isinstance(f, relax.Function) else f.with_body(nothing) for name, f in mod.functions.items()})

overwriting = """
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def clear(x: T.Buffer((2,), "float32"), y: T.Buffer((2,), "float32")):
        for i in range(2):
            y[i] = x[i] + T.float32(1)
            x[i] = T.float32(0)

    @R.function
    def main(x: R.Tensor((2,), "float32")):
        cls = Module
        y = R.call_tir(cls.clear, (x,), out_ty=R.Tensor((2,), "float32"))
        return y
"""

@tvm.transform.module_pass(opt_level=0)
def overwrite(mod, ctx):
    return tvm.script.from_source(overwriting)

unbound = relax.Var("unbound", relax.TensorType((2,), "float32"))
register("Sound", rewriting(lambda call: call))
register("Subtracts", rewriting(lambda call: relax.op.subtract(*call.args)))
register("Unbinds", rewriting(lambda call: relax.op.add(call.args[0], unbound)))
register("Refuses", lambda: refuse)
register("Crashes", segfault)
register("Counts", count)
register("Empties", empty)
register("Overwrites", overwrite)
)python";

constexpr std::string_view kShown = R"(
n = TypeVar("n")

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2,), "float32"), s: R.Shape([3, 4])):
        with R.dataflow():
            y = R.add(x, R.const([1.0, float("inf")], "float32"))
            z = R.inspect.tensor_ndim(x)
            R.output(y)
        return (y, R.const(1, "int32"))

    @T.prim_func(s_tir=True)
    def copy(a: T.Buffer((n,), "float32"), b: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        for i in range(n):
            with T.sblock("b"):
                v_i = T.axis.spatial(n, i)
                T.reads(a[v_i])
                T.writes(b[v_i])
                b[v_i] = a[v_i]
)";

class RealRepro : public testing::Test {
 protected:
  static void SetUpTestSuite() {
#ifdef PASSDIFF_TVM_PYTHON
    folder_ = fs::temp_directory_path() / ("passdiff-repro-" + std::to_string(::getpid()));
    fs::create_directories(folder_);
    std::ofstream(folder_ / "plugin.py") << kFaults;
    auto started = TvmSubject::start({.python = PASSDIFF_TVM_PYTHON, .plugin = folder_ / "plugin.py"});
    if (!started) error_ = started.error().message;
    if (started) subject_ = std::move(started).value();
#endif
  }
  static void TearDownTestSuite() {
    subject_.reset();
    if (!folder_.empty()) fs::remove_all(folder_);
  }
  void SetUp() override {
#ifndef PASSDIFF_TVM_PYTHON
    GTEST_SKIP() << "built without the adapter of TVM's host";
#endif
    ASSERT_NE(subject_, nullptr) << error_;
  }

  // The exit code of the script for this symptom of the pass; `python` runs it.
  static int exit_code(const std::string& pass, const std::string& symptom, const std::string& detail,
                       const std::string& flags = {}, const std::string& options = "{}") {
    return exit_code_of("main", ShapeValue{{3, 4}}, pass, symptom, detail, flags, options);
  }
  // The same for any function, with this for its second argument.
  static int exit_code_of(const std::string& entry, const Value& second, const std::string& pass, const std::string& symptom,
                          const std::string& detail, const std::string& flags = {}, const std::string& options = "{}") {
    const std::vector<Value> arguments = {make_tensor(Tensor{DType::float32, Tensor::Floats{1, 2}}), second};
    const TestCase test{parse_text(kShown).value(), entry, arguments};
    return exit_code_of(ReproRequest{test, {{pass, options}}, direct_plan(entry, 2), symptom, {}, detail}, flags);
  }
  static int exit_code_of(const ReproRequest& request, const std::string& flags = {}) {
    const auto text = subject_->repro_script(request);
    if (!text) return -1;
    const fs::path script = folder_ / "repro.py";
    std::ofstream(script) << *text;
    const std::string command =
        fmt::format("'{}' {} '{}' > '{}' 2>&1", kPython, flags, script.string(), (folder_ / "out").string());
    const int status = std::system(command.c_str());  // NOLINT: a command of this test's own
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  static std::unique_ptr<TvmSubject> subject_;
  static std::string error_;
  static fs::path folder_;
};
std::unique_ptr<TvmSubject> RealRepro::subject_;
std::string RealRepro::error_;
fs::path RealRepro::folder_;

TEST_F(RealRepro, ExitsWithOneWhereTheBugIs) {
  EXPECT_EQ(exit_code("Subtracts", "mismatch", "result[0] element 0: 2 against 0 (float32)"), 1);
  EXPECT_EQ(exit_code("Unbinds", "ill-formed", "main: unbound is never bound"), 1);
  EXPECT_EQ(exit_code("Refuses", "internal-error", "no"), 1);
  EXPECT_EQ(exit_code("Crashes", "crash", "the compiler died of SIGSEGV"), 1);
  EXPECT_EQ(exit_code("Counts", "not-idempotent", "a second run of the pass changes the target again"), 1);
}

TEST_F(RealRepro, ExitsWithZeroWhereItIsGone) {
  EXPECT_EQ(exit_code("Sound", "added-undefined", "target: some rule"), 0);
  EXPECT_EQ(exit_code("Sound", "ill-formed", "main: unbound is never bound"), 0);
  EXPECT_EQ(exit_code("LegalizeOps", "internal-error", "no"), 0);
}

TEST_F(RealRepro, RunsFunctionsOfTensorIrAlone) {
  const Value zeros = make_tensor(Tensor{DType::float32, Tensor::Floats{0, 0}});
  EXPECT_EQ(exit_code_of("copy", zeros, "Empties", "mismatch", "result[1] element 0: 1 against 0 (float32)"), 1);
  EXPECT_EQ(exit_code_of("copy", zeros, "Sound", "mismatch", "result[1] element 0: 1 against 0 (float32)"), 0);
}

// What the call returns is right, and it clears the tensor that it is given.
TEST_F(RealRepro, ComparesTheArgumentsThatATargetOverwrites) {
  const TestCase test{parse_text(R"(
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2,), dtype="float32")):
        y = R.add(x, R.const([1.0, 1.0], "float32"))
        return y
)").value(), "main", {make_tensor(Tensor{DType::float32, Tensor::Floats{1, 2}})}};
  const CallPlan plan = direct_plan("main", 1);
  const auto run = [&](const std::string& pass) { return subject_->execute(test, {{pass, "{}"}}, plan, {}); };
  const std::optional<VmReply> overwriting = run("Overwrites");
  ASSERT_TRUE(overwriting && overwriting->value.has_value()) << overwriting->error.message;
  EXPECT_TRUE(overwriting->overwrote_arguments);
  EXPECT_FALSE(run("Sound")->overwrote_arguments);
  const auto exit_code_of_pass = [&](const std::string& pass) {
    const std::string detail = "target: write-to-input in clear (binding y): x is an input";
    return exit_code_of(ReproRequest{test, {{pass, "{}"}}, plan, "added-undefined", "write-to-input", detail});
  };
  EXPECT_EQ(exit_code_of_pass("Overwrites"), 1);
  EXPECT_EQ(exit_code_of_pass("Sound"), 0);
}

// The right result is zeros, as fresh memory often is, and as the machine's would be if it kept what the source had.
TEST_F(RealRepro, FillsTheMemoryThatATargetReadsWithoutHavingWrittenIt) {
  const TestCase test{parse_text(R"(
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def twice(x: T.Buffer((2,), "float32"), y: T.Buffer((2,), "float32")):
        for i in range(2):
            with T.sblock("y"):
                v_i = T.axis.spatial(2, i)
                T.reads(x[v_i])
                T.writes(y[v_i])
                y[v_i] = x[v_i] * T.float32(2)

    @R.function
    def main(x: R.Tensor((2,), dtype="float32")):
        cls = Module
        y = R.call_tir(cls.twice, (x,), out_ty=R.Tensor((2,), dtype="float32"))
        return y
)").value(), "main", {make_tensor(zeros(DType::float32, std::vector<std::int64_t>{2}))}};
  const auto exit_code_of_pass = [&](const std::string& pass) {
    const std::string detail = "target: uninitialised-read in tensor (binding y): 2 of 2 elements were never written";
    return exit_code_of(ReproRequest{test, {{pass, "{}"}}, direct_plan("main", 1), "added-undefined", "uninitialised-read", detail});
  };
  EXPECT_EQ(exit_code_of_pass("Empties"), 1);
  EXPECT_EQ(exit_code_of_pass("Sound"), 0);
  const auto returns_zeros = [&](const std::string& pass) {
    const std::optional<VmReply> run = subject_->execute(test, {{pass, "{}"}}, direct_plan("main", 1), {});
    return run && run->value && bit_equal(*run->value, test.arguments[0]);
  };
  EXPECT_TRUE(returns_zeros("Sound"));
  EXPECT_FALSE(returns_zeros("Empties"));
}

// The build does not lower hints of devices: the script does.
TEST_F(RealRepro, RunsModulesWithVirtualDevicesAndHints) {
  const TestCase test{parse_text(R"(
@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm", 0, "global"), I.vdevice("llvm", 1, "global")]})
    @R.function
    def main(x: R.Tensor((2,), dtype="float32", vdevice="llvm:1:global")):
        hinted = R.hint_on_device(x, dst_vdevice=R.device(device_type=1, index=1), memory_scope="global")
        y = R.negative(hinted)
        return y
)").value(), "main", {make_tensor(Tensor{DType::float32, Tensor::Floats{1, 2}})}};
  EXPECT_EQ(exit_code_of(ReproRequest{test, {{"Sound", "{}"}}, direct_plan("main", 1), "does-not-compile", {}, "the target does not run: no"}), 0);
  const std::optional<VmReply> run = subject_->execute(test, {}, direct_plan("main", 1), {});
  ASSERT_TRUE(run.has_value());
  EXPECT_TRUE(run->value.has_value()) << run->error.message;
}

// A scan over all axes flattens; for data of unknown shape TVM infers the rank of the data, so that to infer again shows nothing.
TEST_F(RealRepro, ShowsATypeThatTvmItselfInfersWrongly) {
  const Module module = parse_text(R"(
@I.ir_module
class Module:
    @R.function
    def main(c: R.Tensor((), "bool"), x: R.Tensor((1, "n"), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        if c:
            y = x
            z = y
        else:
            z = x
        w = R.cumsum(z)
        return w
)").value();
  const ReproRequest request{{module, "main", {}}, {{"RemovePurityChecking"}}, direct_plan("main", 2), "wrong-type", "form.wrong-type",
                             R"(main: w is declared R.Tensor(dtype="float32", ndim=2) and bound to R.Tensor(dtype="float32", ndim=1))"};
  EXPECT_EQ(exit_code_of(request), 1);
}

// A block that copies x in reverse, whose second variable has this domain, and which declares that it reads this.
Module reversing(std::string_view domain, std::string_view reads) {
  return parse_text(fmt::format(R"(
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def reverse(x: T.Buffer((T.int64(2),), "float32"), y: T.Buffer((T.int64(2),), "float32")):
        for i in range(T.int64(2)):
            with T.sblock("y"):
                v_i = T.axis.spatial(T.int64(2), i)
                v_j = T.axis.spatial({}, i)
                T.reads(x[{}])
                T.writes(y[v_i])
                y[v_i] = x[T.int64(1) - v_j]

    @R.function
    def main(x: R.Tensor((2,), dtype="float32")):
        cls = Module
        y = R.call_tir(cls.reverse, (x,), out_ty=R.Tensor((2,), dtype="float32"))
        return y
)", domain, reads)).value();
}

TEST_F(RealRepro, AsksTvmWhatBlocksAccess) {
  constexpr std::string_view kAll = "T.int64(0):T.int64(2)";
  const auto says = [&](const Module& module, const std::string& buffer) {
    return subject_->analyse_block(module, {}, {.function = "reverse", .block = "y", .buffer = buffer}).contradiction.value_or("nothing");
  };
  EXPECT_TRUE(subject_->analyses_blocks());
  for (const std::string_view sound : {"T.int64(1) - v_j", kAll.data()}) EXPECT_EQ(says(reversing("T.int64(2)", sound), "x"), "nothing");
  EXPECT_NE(says(reversing("T.int64(2)", "v_j"), "x").find("of it are declared"), std::string::npos);
  EXPECT_EQ(says(reversing("T.int64(2)", kAll), ""), "nothing");
  EXPECT_NE(says(reversing("T.int64(1)", kAll), "").find("v_j is i"), std::string::npos);

  const auto exit_code = [&](std::string_view domain, std::string_view reads, const std::string& site, const std::string& says) {
    const std::string detail = fmt::format("target: {} in reverse (binding y): block y{}", site, says);
    return exit_code_of({{reversing(domain, reads), "main", {}}, {{"RemovePurityChecking"}}, direct_plan("main", 1), "ill-formed", site, detail});
  };
  const std::string undeclared = " reads x[0], which its regions do not declare", outside = ": v_j is 1, outside of its domain from 0 of size 1";
  EXPECT_EQ(exit_code("T.int64(2)", "v_j", "undeclared-access", undeclared), 1);
  EXPECT_EQ(exit_code("T.int64(2)", kAll, "undeclared-access", undeclared), 0);
  EXPECT_EQ(exit_code("T.int64(1)", kAll, "iteration-domain", outside), 1);
  EXPECT_EQ(exit_code("T.int64(2)", kAll, "iteration-domain", outside), 0);
}

// What a load out of bounds reads may be what it should: code that asserts its bounds says where it is.
TEST_F(RealRepro, AssertsTheBoundsOfBuffers) {
  const auto run = [&](std::string_view element, std::string_view loop = "range") {
    const TestCase test{parse_text(fmt::format(R"(
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def kernel(x: T.Buffer((T.int64(2),), "float32"), y: T.Buffer((T.int64(2),), "float32")):
        for i in {}(T.int64(2)):
            if x[i] < T.float32(9):
                y[i] = {}

    @R.function
    def main(x: R.Tensor((2,), dtype="float32")):
        cls = Module
        y = R.call_tir(cls.kernel, (x,), out_ty=R.Tensor((2,), dtype="float32"))
        return y
)",
                                               loop, element))
                            .value(),
                        "main",
                        {make_tensor(Tensor{DType::float32, Tensor::Floats{1, 2}})}};
    return subject_->execute(test, {}, direct_plan("main", 1), {.asserts_bounds = true}).value();
  };
  EXPECT_TRUE(run("x[i]").value.has_value()) << run("x[i]").error.message;
  EXPECT_TRUE(run("T.if_then_else(i < T.int64(1), x[i + T.int64(1)], x[i])").value.has_value()) << "behind a condition";
  EXPECT_FALSE(run("x[i + T.int64(1)]").value.has_value());
  EXPECT_EQ(run("x[i + T.int64(1)]").stage, "run");
  EXPECT_EQ(run("x[i + T.int64(1)]").error.message, "out of bounds: x");
  EXPECT_EQ(run("x[i + T.int64(1)]", "T.parallel").error.message, "out of bounds: x");
}

// A CPU runs what is scheduled for threads; repro.py, too.
TEST_F(RealRepro, RunsThreadsOneAfterTheOther) {
  const TestCase test{parse_text(R"(
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2,), dtype="float32")) -> R.Tensor((), dtype="float32"):
        none = R.concat((x, R.const([], "float32")), axis=0)  # TVM does not read it from JSON
        y = R.sum(none)
        return y
)").value(), "main", {make_tensor(Tensor{DType::float32, Tensor::Floats{1, 2}})}};
  const Pipeline scheduled = {{"LegalizeOps", "{}"}, {"dlight.gpu.Reduction", "{}"}};
  const VmReply reply = subject_->execute(test, scheduled, direct_plan("main", 1), {}).value();
  ASSERT_TRUE(reply.value.has_value()) << reply.stage << ": " << reply.error.message;
  ASSERT_NE(reply.value->as_tensor(), nullptr);
  EXPECT_EQ(as_double(**reply.value->as_tensor(), 0), 3);
  const std::string claim = "result element 0: 3 against 4 (float32)";
  EXPECT_EQ(exit_code_of(ReproRequest{test, scheduled, direct_plan("main", 1), "mismatch", {}, claim}), 0) << "nothing is wrong";
}

// The derivative by x is y, which is 3 and 4; by y, through a function that is called, it should be x.
TEST_F(RealRepro, ComparesDerivativesWithFiniteDifferences) {
  const TestCase test{parse_text(R"(
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2,), "float32"), y: R.Tensor((2,), "float32")) -> R.Tensor((), "float32"):
        cls = Module
        with R.dataflow():
            same: R.Tensor((2,), "float32") = cls.same(y)
            product = R.multiply(x, same)
            loss = R.sum(product)
            R.output(loss)
        return loss

    @R.function(private=True)
    def same(y: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        return y
)")
                          .value(),
                      "main",
                      {make_tensor(Tensor{DType::float32, Tensor::Floats{1, 2}}), make_tensor(Tensor{DType::float32, Tensor::Floats{3, 4}})}};
  const auto exit_code = [&](const std::string& detail) {
    return exit_code_of(ReproRequest{test, {{"Gradient", R"({"func_name": "main"})"}}, direct_plan("main", 2), "wrong-derivative", {}, detail});
  };
  EXPECT_EQ(exit_code("the derivative by x (number 0), element 1: 4 by finite differences, 0 by main_adjoint"), 0);
  EXPECT_EQ(exit_code("the derivative by y (number 1), element 1: 2 by finite differences, 0 by main_adjoint"), 1);
  EXPECT_EQ(exit_code("the derivative by x (number 0) is float32[], the parameter is float32[2]"), 0);
  EXPECT_EQ(exit_code("main_adjoint returns 1 where main returns 2"), 0);
}

TEST_F(RealRepro, ExitsWithTwoWhereItCannotTell) {
  EXPECT_EQ(exit_code("Sound", "internal-error", "no", "-S"), 2) << "numpy and tvm are not found";
  EXPECT_EQ(exit_code("Refuses", "mismatch", "result[0] element 0: 2 against 0 (float32)"), 2)
      << "the pass fails, which is another bug";
  EXPECT_EQ(exit_code("Refuses", "internal-error", "no", "", R"({"option": 1})"), 2)
      << "there is no such option";
}

}  // namespace
}  // namespace passdiff
