// The client against the real TVM. A build with the adapter must find TVM: these tests fail without it. They are skipped
// in a build that leaves TVM out (PASSDIFF_TVM_ADAPTER=OFF), and scripts/test fails for any test that is skipped.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "core/documents/json.h"
#include "core/text/text.h"
#include "passes/tvm/client.h"
#include "passes/tvm/connection.h"
#include "passes/tvm/tvm_passes.h"

namespace passdiff {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPlugin = R"python(
import ctypes, tvm
from passdiff_plugin import register

@tvm.transform.module_pass(opt_level=0)
def segfault(mod, ctx):
    ctypes.string_at(8)
    return mod

@tvm.transform.module_pass(opt_level=0)
def hang(mod, ctx):
    while True:
        pass

@tvm.transform.module_pass(opt_level=0)
def raise_error(mod, ctx):
    raise ValueError("no")

register("Segfault", segfault)
register("Hang", hang)
register("Raise", raise_error, numerics="exact", idempotent=True, rejections=["ValueError"])
)python";

constexpr std::string_view kScript = R"(@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), "float32"), w: R.Tensor((4, 3), "float32")):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            p = R.permute_dims(w)
            o = R.matmul(x, p)
            R.output(o)
        return o
)";

class RealTvm : public testing::Test {
 protected:
  static void SetUpTestSuite() {
#ifdef PASSDIFF_TVM_PYTHON
    plugin_ = fs::temp_directory_path() / ("passdiff-plugin-" + std::to_string(::getpid()) + ".py");
    std::ofstream(plugin_) << kPlugin;
    Result<std::unique_ptr<TvmSubject>> started =
        TvmSubject::start({.python = PASSDIFF_TVM_PYTHON, .plugin = plugin_});
    // Each test reports this error: if this function failed, GoogleTest would report the tests as skipped.
    if (!started) error_ = started.error().message;
    if (started) subject_ = std::move(started).value();
#endif
  }
  static void TearDownTestSuite() {
    subject_.reset();
    if (!plugin_.empty()) fs::remove(plugin_);
  }
  void SetUp() override {
#ifndef PASSDIFF_TVM_PYTHON
    GTEST_SKIP() << "built without the adapter of TVM's host";
#endif
    ASSERT_NE(subject_, nullptr) << error_;
  }

  static Module module() { return parse_text(kScript).value(); }

  static std::unique_ptr<TvmSubject> subject_;
  static std::string error_;
  static fs::path plugin_;
};
std::unique_ptr<TvmSubject> RealTvm::subject_;
std::string RealTvm::error_;
fs::path RealTvm::plugin_;

TEST_F(RealTvm, HasEveryPassOfTheTable) {
  EXPECT_EQ(subject_->version().substr(0, 2), "0.");
  for (const Pass& row : tvm_pass_table()) {
    const auto found = std::find_if(subject_->passes().begin(), subject_->passes().end(),
                                    [&](const Pass& pass) { return pass.name == row.name; });
    ASSERT_NE(found, subject_->passes().end()) << row.name;
    EXPECT_EQ(found->unsupported, row.unsupported) << row.name;
  }
}

TEST_F(RealTvm, TakesPluginsWithTheirContracts) {
  const auto found = std::find_if(subject_->passes().begin(), subject_->passes().end(),
                                  [](const Pass& pass) { return pass.name == "Raise"; });
  ASSERT_NE(found, subject_->passes().end());
  EXPECT_EQ(found->contract.numerics, Numerics::exact);
  EXPECT_TRUE(found->contract.idempotent);
  EXPECT_EQ(found->contract.rejections, std::vector<std::string_view>{"ValueError"});
}

TEST_F(RealTvm, LiftsAWeightsTransformation) {
  const std::vector<Pipeline> pipelines = {{{"Normalize"}}, {{"LiftTransformParams"}}};
  const std::vector<TransformReply> replies = subject_->transform(module(), pipelines, {});
  const auto* normal = std::get_if<Transformed>(&replies[0].result);
  ASSERT_NE(normal, nullptr);
  EXPECT_TRUE(normal->unchanged);
  const auto* lifted = std::get_if<Transformed>(&replies[1].result);
  ASSERT_NE(lifted, nullptr);
  ASSERT_TRUE(lifted->target) << lifted->unreadable;
  EXPECT_NE(lifted->target->find("main_transform_params"), nullptr);
}

// The source with `from` replaced by `to` in its document: what no reader of text makes.
Module with_document(const char* text, std::string_view from, std::string_view to) {
  std::string document = to_json(parse_text(text).value()).dump();
  for (std::size_t at = 0; (at = document.find(from, at)) != std::string::npos; at += to.size()) document.replace(at, from.size(), to);
  return module_from_json(nlohmann::json::parse(document)).value();
}

// The shape that is declared of the sum is not the one that the compiler infers.
TEST_F(RealTvm, TakesDeclaredTypesOfCallsWhereTypesAreTrusted) {
  const Module mistyped = with_document(R"(
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, "n"), dtype="float32"), w: R.Tensor((3, 1, 1), dtype="float32")):
        n = T.int64()
        with R.dataflow():
            y = R.add(x, w)
            R.output(y)
        return y
)",
                                        "[3,2,", "[3,5,");
  const Pipeline pipeline = {{"CanonicalizeBindings"}};
  for (const bool trusts : {false, true, false}) {
    const TransformReply reply = subject_->transform(mistyped, std::span(&pipeline, 1), {.trusts_types = trusts}).front();
    const auto* refused = std::get_if<CannotBuild>(&reply.result);
    ASSERT_EQ(refused == nullptr, trusts);
    if (refused != nullptr) EXPECT_EQ(refused->kind, "TypeDiffers");
  }
}

// A variable of a dataflow block is used outside of it, until ToNonDataflow makes it another.
TEST_F(RealTvm, ChecksATrustedSourceBeforeItSpeaksAgainstAPass) {
  const Module ill_formed = parse_text(R"(
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2,), dtype="float32")):
        with R.dataflow():
            y = R.negative(x)
            R.output()
        return y
)")
                                .value();
  const std::vector<Pipeline> pipelines = {{{"ToNonDataflow"}}, {{"LegalizeOps"}}};
  const auto is_refused = [&](std::size_t count, bool trusts) {
    const TransformReply reply = subject_->transform(ill_formed, std::span(pipelines).first(count), {.trusts_types = trusts}).front();
    const auto* refused = std::get_if<CannotBuild>(&reply.result);
    if (refused != nullptr) EXPECT_EQ(refused->kind, "IllFormedSource");
    return refused != nullptr;
  };
  EXPECT_TRUE(is_refused(1, false));
  EXPECT_FALSE(is_refused(1, true));
  EXPECT_TRUE(is_refused(2, true));
  EXPECT_FALSE(is_refused(1, true));
}

// UpdateVDevice assigns types in place. Pipelines that begin alike share what their first passes make: what changes that shows in none of the others.
TEST_F(RealTvm, ForgetsWhatAPassChangedInPlaceOnTheWay) {
  const Module placed = parse_text(R"(
@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm", 0, "global"), I.vdevice("llvm", 1, "global")]})
    @R.function
    def main(x: R.Tensor((2,), dtype="float32")):
        with R.dataflow():
            lv = R.to_vdevice(x, dst_vdevice="llvm:1:global")
            y = R.to_vdevice(lv, dst_vdevice="llvm:0:global")
            z = R.negative(y)
            R.output(z)
        return z
)")
                            .value();
  const PassCall update{"UpdateVDevice", R"({"new_vdevice": {"$vdevice": 0}, "index": 1})"};
  for (const char* first : {"ToNonDataflow", "LegalizeOps"}) {  // LegalizeOps makes functions of TensorIR
    const std::vector<Pipeline> pipelines = {{{first}}, {{first}, update}, {{first}, {"CanonicalizeBindings"}}};
    const std::vector<TransformReply> replies = subject_->transform(placed, pipelines, {});
    const auto target = [&](std::size_t pipeline) {
      const auto* transformed = std::get_if<Transformed>(&replies[pipeline].result);
      return transformed != nullptr && transformed->target ? print(*transformed->target) : "";
    };
    EXPECT_NE(target(0), "") << first;
    EXPECT_NE(target(0), target(1)) << first;
    EXPECT_EQ(target(0), target(2)) << first;
  }
}

// RealizeVDevice, which takes hints out, is among what is tested.
TEST_F(RealTvm, RunsAHintOfADeviceAsItsOperand) {
  const TestCase test{parse_text(R"(
@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm", 0, "global")]})
    @R.function
    def main(x: R.Tensor((2,), dtype="float32")):
        with R.dataflow():
            y = R.hint_on_device(x, dst_vdevice=R.device(device_type=1, index=0), memory_scope="global")
            z = R.negative(y)
            R.output(z)
        return z
)").value(), "main", {make_tensor(Tensor{DType::float32, Tensor::Floats{1, 2}})}};
  const std::optional<VmReply> run = subject_->execute(test, {}, direct_plan("main", 1), {});
  ASSERT_TRUE(run.has_value());
  ASSERT_TRUE(run->value.has_value()) << run->error.message;
}

// That there is no code for an elementwise op is a matter of its operands; of others it may be one of the machine.
TEST_F(RealTvm, HasCodeForElementwiseOpsOfWhateverShapeIsKnown) {
  const auto stage_of = [&](const std::string& call) {
    const std::string text = "@R.function\ndef main(x: R.Tensor(dtype=\"float32\", ndim=2)):\n    y = " + call + "\n    return y\n";
    const TestCase test{parse_text(text).value(), "main", {make_tensor(zeros(DType::float32, std::vector<std::int64_t>{1, 2}))}};
    return subject_->execute(test, {}, direct_plan("main", 1), {}).value().stage;
  };
  EXPECT_EQ(stage_of("R.multiply(x, x)"), "compile");
  EXPECT_EQ(stage_of("R.squeeze(x, axis=[0])"), "lower");
}

// There is one CPU: code for a second finds that its arguments are on the first.
TEST_F(RealTvm, RunsNothingOnASecondDevice) {
  const TestCase test{parse_text(R"(
@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm", 0, "global"), I.vdevice("llvm", 1, "global")]})
    @R.function
    def main(x: R.Tensor((), dtype="float32", vdevice="llvm:0:global")):
        y = R.hint_on_device(x, dst_vdevice=R.device(device_type=1, index=1), memory_scope="global")
        z = R.expand_dims(y, axis=[0])
        return z
)")
                          .value(),
                      "main",
                      {make_tensor(zeros(DType::float32, std::vector<std::int64_t>{}))}};
  const std::optional<VmReply> run = subject_->execute(test, {{"RealizeVDevice", "{}"}}, direct_plan("main", 1), {});
  ASSERT_TRUE(run && !run->value);
  EXPECT_EQ(run->stage, "lower") << run->error.message;
}

// Parameters and constants go to the compiler and come back.
TEST_F(RealTvm, KnowsAllDTypes) {
  const auto script = [](DType dtype, bool alias) {
    const std::string type = "\"" + std::string(dtype_name(dtype)) + "\"";
    const std::string elements = is_float(dtype) ? "1.0, 2.0, 4.0" : dtype == DType::boolean ? "True, False, True" : "1, 0, 1";
    return "@I.ir_module\nclass Module:\n    @R.function\n    def main(x: R.Tensor((3,), " + type + ")):\n" +
           "        with R.dataflow():\n" + (alias ? "            y = x\n" : "") + "            z = R.concat((" +
           (alias ? "y" : "x") + ", R.const([" + elements + "], " + type + ")), axis=0)\n" +
           "            R.output(z)\n        return z\n";
  };
  const std::vector<Pipeline> pipelines = {{{"CanonicalizeBindings"}}};
  for (const DType dtype : all_dtypes()) {
    const TransformReply reply = subject_->transform(parse_text(script(dtype, true)).value(), pipelines, {})[0];
    const auto* canonical = std::get_if<Transformed>(&reply.result);
    ASSERT_TRUE(canonical != nullptr && canonical->target) << dtype_name(dtype);
    EXPECT_EQ(print(*canonical->target), print(parse_text(script(dtype, false)).value()));
  }
}

// TVM's kernels read a byte for each element, and so beyond the tensor.
TEST_F(RealTvm, RunsNothingOnPackedElements) {
  const TestCase test{parse_text(R"(
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), dtype="uint4")):
        return R.astype(x, "int32")
)").value(), "main", {make_tensor(zeros(DType::uint4, std::vector<std::int64_t>{4}))}};
  const std::optional<VmReply> run = subject_->execute(test, {}, direct_plan("main", 1), {});
  ASSERT_TRUE(run && !run->value);
  EXPECT_EQ(run->stage, "lower");
  EXPECT_EQ(run->error.kind, "PackedElements");
}

TEST_F(RealTvm, SurvivesPassesThatCrashAndHang) {
  const std::vector<Pipeline> pipelines = {
      {{"Normalize"}}, {{"Segfault"}}, {{"Hang"}}, {{"Raise"}}, {{"Normalize"}}};
  const std::vector<TransformReply> replies = subject_->transform(module(), pipelines, {.cpu_seconds = 0.5});
  EXPECT_TRUE(std::holds_alternative<Transformed>(replies[0].result));
  ASSERT_TRUE(std::holds_alternative<Crash>(replies[1].result));
  EXPECT_EQ(std::get<Crash>(replies[1].result).signal, "SIGSEGV");
  EXPECT_EQ(std::get<Crash>(replies[1].result).site.find("0x"), std::string::npos);
  EXPECT_TRUE(std::holds_alternative<Timeout>(replies[2].result));
  EXPECT_EQ(replies[2].seconds_in_pass, 0.5);
  ASSERT_TRUE(std::holds_alternative<Refused>(replies[3].result));
  EXPECT_EQ(std::get<Refused>(replies[3].result).kind, "ValueError");
  EXPECT_TRUE(std::holds_alternative<Transformed>(replies[4].result));
}

TEST_F(RealTvm, NamesThePassThatCrashed) {
  const std::vector<Pipeline> pipelines = {{{"Normalize"}, {"Segfault"}, {"Normalize"}}};
  const TransformReply reply = subject_->transform(module(), pipelines, {})[0];
  EXPECT_TRUE(std::holds_alternative<Crash>(reply.result));
  EXPECT_EQ(reply.pass_index, 1);
}

TEST_F(RealTvm, GoesOnAfterTheSupervisorIsKilled) {
  const Module source = module();
  const pid_t before = subject_->connection().supervisor();
  ASSERT_GT(before, 1);
  ::kill(before, SIGKILL);
  siginfo_t ended{};
  ::waitid(P_PID, static_cast<id_t>(before), &ended, WEXITED | WNOWAIT);  // freeing its memory takes a while
  const std::vector<Pipeline> pipelines = {{{"Normalize"}}};
  const TransformReply reply = subject_->transform(source, pipelines, {})[0];
  EXPECT_TRUE(std::holds_alternative<Transformed>(reply.result));
  EXPECT_NE(subject_->connection().supervisor(), before);
}

#ifdef PASSDIFF_TVM_PYTHON
TEST_F(RealTvm, APythonWithoutTvmIsToldSo) {
  // -S leaves out the folder of installed packages, and with it tvm.
  const fs::path python = plugin_.string() + ".python";
  std::ofstream(python) << "#!/bin/sh\nexec " PASSDIFF_TVM_PYTHON " -S \"$@\"\n";
  fs::permissions(python, fs::perms::owner_all);
  const Result<std::unique_ptr<TvmSubject>> started = TvmSubject::start({.python = python.string()});
  fs::remove(python);
  ASSERT_FALSE(started.ok());
  EXPECT_EQ(started.error().code, "subject.no-tvm") << started.error().message;
  EXPECT_NE(started.error().message.find("pip install"), std::string::npos) << started.error().message;
}
#endif

}  // namespace
}  // namespace passdiff
