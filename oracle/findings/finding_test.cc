#include "oracle/findings/finding.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "core/form/rebuild.h"
#include "core/ir/structural.h"
#include "core/ops/op.h"
#include "core/tensor/tensor.h"
#include "core/text/text.h"
#include "oracle/execute.h"
#include "oracle/findings/signature.h"
#include "oracle/replay.h"
#include "oracle/report_format.h"
#include "oracle/scripted_subject.h"
#include "oracle/witness.h"

namespace passdiff {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSource = R"(
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((3,), "float32"), y: R.Tensor((3,), "float32")):
        a = R.subtract(x, y)
        b = R.add(a, a)
        c = R.multiply(b, x)
        return (c, b)
)";

Value floats(std::vector<double> values) {
  Tensor tensor = zeros(DType::float32, std::vector<std::int64_t>{static_cast<std::int64_t>(values.size())});
  std::copy(values.begin(), values.end(), std::get<Tensor::Floats>(tensor.values).data());
  return make_tensor(std::move(tensor));
}
TestCase source_case() {
  return {parse_text(kSource).value(), "main", {floats({1, 2, 3}), floats({0.5, 0.25, 4})}};
}

// The broken pass: it exchanges the operands of subtractions.
Module swapped(const Module& module) {
  const OpDef* subtract = find_op("relax.subtract");
  const Edits edits{.rewrite = [&](const Binding& binding) -> std::optional<ExprPtr> {
    const Call* call = as<Call>(binding.value);
    const OpDef* callee = call == nullptr ? nullptr : called_op(*call);
    if (callee == nullptr || callee != subtract) return std::nullopt;
    return make_call(*subtract, {call->args[1], call->args[0]}, {}).value();
  }};
  return rebuild(module, edits).value();
}
Module nothing_done(const Module& module) {
  return rebuild(module, {}).value();
}

// What a machine returns that errs in nothing.
VmReply run_by_machine(const TestCase& test, const CallPlan& plan) {
  VmReply reply;
  reply.value = std::get<Returned>(run_plan(test.module, plan, test.arguments)).value;
  return reply;
}
// A machine that compiles the source, and no target, for this reason.
ScriptedSubject::Machine without_code_of_targets(Refused why) {
  return [why](const TestCase& test, const Pipeline& pipeline, const CallPlan& plan, const MachineCode&) {
    return pipeline.empty() ? run_by_machine(test, plan) : VmReply{{}, "compile", why};
  };
}
Verdict no_code(std::string culprit, std::string site) {
  Verdict verdict{.symptom = Symptom::does_not_compile, .stage = Stage::execute, .check = std::string(kVmAgrees), .detail = ""};
  verdict.culprit = std::move(culprit);
  verdict.site = std::move(site);
  return verdict;
}

// A subject with two sound passes and a broken one, and, if asked for, a machine that gives every target the value of its source,
// and therefore confirms nothing.
class PassesOfThree : public Subject {
 public:
  explicit PassesOfThree(bool blind_machine = false) : blind_machine_(blind_machine) {
    passes_.add("Sound", nothing_done);
    passes_.add("Swap", swapped);
    passes_.add("AlsoSound", nothing_done);
    Contract needy;
    needy.needs = {"Sound"};
    passes_.add("NeedySwap", swapped, needy);
  }
  std::string_view name() const override { return passes_.name(); }
  std::string version() const override { return passes_.version(); }
  std::span<const Pass> passes() const override { return passes_.passes(); }
  std::vector<TransformReply> run_pipelines(const Module& module, std::span<const Pipeline> pipelines, const TransformOptions& options) override {
    return passes_.transform(module, pipelines, options);
  }
  std::optional<VmReply> execute(const TestCase& test, const Pipeline&, const CallPlan& plan, const MachineCode&) override {
    if (!blind_machine_) return std::nullopt;
    return run_by_machine(test, plan);
  }
  std::optional<std::string> repro_script(const ReproRequest& request) override {
    return "# " + request.symptom + "\n";
  }
  std::string documented_promise(std::string_view symptom, std::string_view) const override {
    return symptom == "mismatch" ? "Swap promises not to swap." : "";
  }

 private:
  ScriptedSubject passes_;
  bool blind_machine_;
};

std::optional<Finding> find(Subject& subject, const Pipeline& pipeline, const FindingContext& context = {}, const ReduceOptions& reduction = {}) {
  CheckOptions quick;
  quick.confirm = false;
  const Verdict verdict = check(subject, source_case(), pipeline, quick).verdict;
  EXPECT_EQ(verdict.symptom, Symptom::mismatch);
  return make_finding(subject, source_case(), pipeline, verdict, {}, reduction, "seed 7, case 1234", context);
}

TEST(MakeFinding, ReducesTheCaseAndKeepsWhereItCameFrom) {
  PassesOfThree subject;
  const auto finding = find(subject, {{"Swap", "{}"}});
  ASSERT_TRUE(finding.has_value());
  EXPECT_EQ(count_bindings(finding->test.module), 1) << print(finding->test.module);
  EXPECT_TRUE(structural_equal(finding->unreduced.module, source_case().module));
  EXPECT_EQ(finding->checked.verdict.symptom, Symptom::mismatch);
  EXPECT_EQ(finding->signature, signature_of(finding->checked.verdict, finding->test.module, "main"));
  ASSERT_TRUE(finding->checked.target.has_value());
  EXPECT_TRUE(structural_equal(*finding->checked.target, swapped(finding->test.module)));
}

TEST(MakeFinding, WhatLosesDigitsInALargeModuleMayBeWrongInASmallOne) {
  PassesOfThree subject;
  const Pipeline pipeline = {{"Swap", "{}"}};
  Verdict verdict = check(subject, source_case(), pipeline, CheckOptions{.confirm = false}).verdict;
  verdict.symptom = Symptom::less_precise;
  const auto finding = make_finding(subject, source_case(), pipeline, verdict, {}, {}, "seed 7, case 1234");
  ASSERT_TRUE(finding.has_value());
  EXPECT_EQ(finding->checked.verdict.symptom, Symptom::mismatch);
  EXPECT_EQ(count_bindings(finding->test.module), 1) << print(finding->test.module);
}

// What a write beyond the end of a string does depends on what stands there.
TEST(MakeFinding, WhatFillsTheMemoryInALargeModuleMayCrashInASmallOne) {
  ScriptedSubject subject;
  Pass pass;
  pass.name = "Undefined";
  subject.add(std::move(pass), [](const Module& module, const TransformOptions&) {
    TransformReply reply;
    if (count_bindings(module) > 1)
      reply.result = MemoryExceeded{};
    else
      reply.result = Crash{};
    return reply;
  });
  const Pipeline pipeline = {{"Undefined", "{}"}};
  const Verdict verdict = check(subject, source_case(), pipeline, {}).verdict;
  EXPECT_EQ(verdict.symptom, Symptom::memory);
  const auto finding = make_finding(subject, source_case(), pipeline, verdict, {}, {}, "seed 7, case 1234");
  ASSERT_TRUE(finding.has_value());
  EXPECT_EQ(finding->checked.verdict.symptom, Symptom::crash);
  EXPECT_LE(count_bindings(finding->test.module), 1) << print(finding->test.module);
}

TEST(MakeFinding, ALargeCaseIsReducedFurtherAndKeepsWhatItCameFrom) {
  PassesOfThree subject;
  auto large = find(subject, {{"Swap", "{}"}}, {}, {.max_checks = 0});
  ASSERT_TRUE(large.has_value());
  ASSERT_EQ(count_bindings(large->test.module), 3);
  const auto small = reduced_further(subject, *large, {}, {});
  ASSERT_TRUE(small.has_value());
  EXPECT_EQ(count_bindings(small->test.module), 1) << print(small->test.module);
  EXPECT_TRUE(structural_equal(small->unreduced.module, source_case().module));
  EXPECT_FALSE(reduced_further(subject, *small, {}, {}).has_value()) << "it is small";
}

// A pass that takes three seconds, one that takes twenty, and one that fills the memory in three.
TEST(MakeFinding, ADeadlineThatWasShortIsMetAgainWithALongerOne) {
  ScriptedSubject subject;
  const auto add = [&](const std::string& name, double seconds) {
    Pass pass;
    pass.name = name;
    subject.add(std::move(pass), [name, seconds](const Module& module, const TransformOptions& options) {
      TransformReply reply = ScriptedSubject::reply_of(module);
      if (name == "Greedy") reply.result = MemoryExceeded{};
      if (options.cpu_seconds < seconds) reply.result = Timeout{options.cpu_seconds};
      return reply;
    });
  };
  add("Slow", 3);
  add("Slower", 20);
  add("Greedy", 3);
  add("Endless", 1000);
  const auto found = [&](const Pipeline& pipeline, std::string* unconfirmed) {
    const CheckOptions quick{.confirm = false, .cpu_seconds = kQuickSeconds};
    const Verdict verdict = check(subject, source_case(), pipeline, quick).verdict;
    EXPECT_EQ(verdict.symptom, Symptom::timeout);
    return make_finding(subject, source_case(), pipeline, verdict, {}, {}, "seed 7, case 1234", {.unconfirmed = unconfirmed});
  };
  std::string unconfirmed;
  EXPECT_FALSE(found({{"Slow", "{}"}}, &unconfirmed));
  EXPECT_EQ(unconfirmed, "the pass ends, given more time");
  EXPECT_FALSE(found({{"Slower", "{}"}}, nullptr)) << "the script that would show it waits for a minute";
  const auto endless = found({{"Endless", "{}"}}, nullptr);
  ASSERT_TRUE(endless);
  EXPECT_EQ(endless->checked.verdict.detail, "no result after 60 s of CPU time");
  const auto greedy = found({{"Greedy", "{}"}}, nullptr);
  ASSERT_TRUE(greedy);
  EXPECT_EQ(greedy->checked.verdict.symptom, Symptom::memory);
}

TEST(ReplayOfACase, ThatHangsIsAsExpectedWhateverRunsOutFirst) {
  const auto replayed = [](std::string expected, Symptom actual) {
    return Replay{.expected = std::move(expected), .actual = {.symptom = actual}, .missing_pass = false, .target = {}}.as_expected();
  };
  EXPECT_TRUE(replayed("memory", Symptom::timeout));
  EXPECT_TRUE(replayed("timeout", Symptom::memory));
  EXPECT_FALSE(replayed("crash", Symptom::timeout));
  EXPECT_FALSE(replayed("memory", Symptom::agree));
}

TEST(MakeFinding, BlamesTheFirstPassThatFailsByItself) {
  PassesOfThree subject;
  const auto finding = find(subject, {{"Sound", "{}"}, {"Swap", "{}"}, {"AlsoSound", "{}"}});
  ASSERT_TRUE(finding.has_value());
  EXPECT_EQ(finding->checked.verdict.culprit, "Swap");
  EXPECT_EQ(finding->pipeline, (Pipeline{{"Swap", "{}"}}));
  // The prefix of the pipeline up to the pass that is to blame.
  EXPECT_EQ(finding->unreduced_pipeline, (Pipeline{{"Sound", "{}"}, {"Swap", "{}"}}));
}

// FuseOpsByPattern hands a shape on as a parameter, of which LegalizeOps, which any compilation runs, makes nothing.
TEST(MakeFinding, BlamesThePassWhoseTargetDoesNotCompileForTheErrorOfAnother) {
  const std::string site = "AssertionError@legalize.py:reshape";
  ScriptedSubject subject;
  subject.add("Fuse", nothing_done);
  subject.add("Sound", nothing_done);
  Pass legalize;
  legalize.name = "Legalize";
  subject.add(std::move(legalize), [&](const Module&, const TransformOptions&) {
    TransformReply reply;
    reply.result = Refused{"AssertionError", site, ""};
    return reply;
  });
  subject.set_machine([&](const TestCase& test, const Pipeline& pipeline, const CallPlan& plan, const MachineCode&) {
    if (!pipeline.empty() && pipeline.front().name == "Fuse") return VmReply{{}, "compile", {"AssertionError", site, ""}};
    return run_by_machine(test, plan);
  });
  const auto culprit = [&](const std::string& first) {
    const Pipeline pipeline = {{first, "{}"}, {"Legalize", "{}"}};
    const Verdict error{.symptom = Symptom::internal_error, .stage = Stage::transform, .check = "transforms", .culprit = "Legalize", .site = site, .detail = ""};
    const auto finding = make_finding(subject, source_case(), pipeline, error, {}, {}, "seed 7");
    return finding ? finding->checked.verdict.culprit : std::string();
  };
  EXPECT_EQ(culprit("Fuse"), "Fuse");
  EXPECT_EQ(culprit("Sound"), "Legalize");
}

// The machine was asked on a sample alone, and not after the first pass.
TEST(MakeFinding, BlamesTheFirstPassWhoseTargetDoesNotCompile) {
  ScriptedSubject subject;
  subject.add("Weights", nothing_done);
  subject.add("Sound", nothing_done);
  subject.set_machine(without_code_of_targets({"crash", "SIGSEGV", ""}));
  const Pipeline pipeline = {{"Weights", "{}"}, {"Sound", "{}"}};
  const auto finding = make_finding(subject, source_case(), pipeline, no_code("Sound", "SIGSEGV"), {}, {}, "seed 7");
  ASSERT_TRUE(finding.has_value());
  EXPECT_EQ(finding->checked.verdict.culprit, "Weights");
  EXPECT_EQ(finding->pipeline, (Pipeline{{"Weights", "{}"}}));
}

// What the interpreter says of values shows nowhere then, and the script would show why there is no code.
TEST(MakeFinding, OfWrongValuesIsThatTheTargetDoesNotCompileWhereItDoesNot) {
  ScriptedSubject subject;
  subject.add("Swap", swapped);
  subject.set_machine(without_code_of_targets({"TypeError", "TypeError@cast.cc", "no such cast"}));
  const Pipeline pipeline = {{"Swap", "{}"}};
  const Verdict verdict = check(subject, source_case(), pipeline, {.confirm = false}).verdict;
  ASSERT_EQ(verdict.symptom, Symptom::mismatch);
  const auto finding = make_finding(subject, source_case(), pipeline, verdict, {}, {}, "here");
  EXPECT_EQ(count_bindings(finding.value().test.module), 0) << "that needs no wrong values";
  EXPECT_EQ(finding->checked.verdict.symptom, Symptom::does_not_compile);
  EXPECT_EQ(finding->checked.verdict.site, "TypeError@cast.cc");
}

TEST(MakeFinding, RunsNothingToFindATargetAgainThatDoesNotCompile) {
  ScriptedSubject subject;
  subject.add("Sound", nothing_done);
  subject.set_machine(without_code_of_targets({"TypeError", "TypeError@cast.cc", "no such cast"}));
  const auto finding = make_finding(subject, source_case(), {{"Sound", "{}"}}, no_code("Sound", "TypeError@cast.cc"), {}, {}, "here");
  EXPECT_EQ(count_bindings(finding.value().test.module), 0);
  EXPECT_EQ(subject.executions(), 2) << "source and target of the reduced case";
}

TEST(MakeFinding, ReducesATargetThatCompilesAndDoesNotRun) {
  ScriptedSubject subject;
  subject.add("Sound", nothing_done);
  subject.set_machine([](const TestCase& test, const Pipeline& pipeline, const CallPlan& plan, const MachineCode& code) {
    return pipeline.empty() || code.only_compiled ? run_by_machine(test, plan) : VmReply{{}, "run", {"TypeError", "TypeError@builtin.cc", ""}};
  });
  const auto finding = make_finding(subject, source_case(), {{"Sound", "{}"}}, no_code("Sound", "TypeError@builtin.cc"), {}, {}, "here");
  EXPECT_EQ(count_bindings(finding.value().test.module), 0);
}

// What a sampled check says of fewer passes is another finding, though every check is asked for.
TEST(MakeFinding, IsNotTakenOverByASampledCheckOfAnEarlierPass) {
  ScriptedSubject subject;
  subject.add("Count", [](const Module& module) {  // not idempotent
    Module counted = module;
    counted.attrs["count " + std::to_string(module.attrs.size())] = true;
    return counted;
  });
  subject.add("Swap", swapped);
  const Pipeline pipeline = {{"Count", "{}"}, {"Swap", "{}"}};
  const CheckOptions every{.sampling = Sampling::every_case()};
  ASSERT_EQ(check(subject, source_case(), Pipeline{pipeline[0]}, every).verdict.symptom, Symptom::not_idempotent);
  const Verdict verdict = check(subject, source_case(), pipeline, every).verdict;
  ASSERT_EQ(verdict.symptom, Symptom::mismatch);
  const auto finding = make_finding(subject, source_case(), pipeline, verdict, every, {}, "here");
  ASSERT_TRUE(finding.has_value());
  EXPECT_EQ(finding->checked.verdict.symptom, Symptom::mismatch);
  EXPECT_EQ(finding->checked.verdict.culprit, "Swap");
}

TEST(MakeFinding, KeepsThePassesThatTheCulpritNeeds) {
  PassesOfThree subject;
  const auto finding = find(subject, {{"AlsoSound", "{}"}, {"Sound", "{}"}, {"NeedySwap", "{}"}});
  ASSERT_TRUE(finding.has_value());
  EXPECT_EQ(finding->pipeline, (Pipeline{{"Sound", "{}"}, {"NeedySwap", "{}"}}));
  EXPECT_EQ(finding->checked.verdict.culprit, "NeedySwap");
}

TEST(MakeFinding, GivesNothingWhereTheMachineSeesNoDifferenceUnlessTheCauseIsKnown) {
  const Pipeline swap = {{"Swap", "{}"}};
  PassesOfThree seeing, blind(true);
  const auto confirmed = find(seeing, swap);
  ASSERT_TRUE(confirmed.has_value());
  const auto is_confirmed = [&](const Cause& cause) { return cause == confirmed->cause; };
  EXPECT_TRUE(find(blind, swap, {.is_known = is_confirmed}).has_value());
  std::string why;
  EXPECT_FALSE(find(blind, swap, {.is_known = std::not_fn(is_confirmed), .unconfirmed = &why}).has_value());
  EXPECT_NE(why.find("the machine sees no difference"), std::string::npos) << why;
}

// The compiler holds what the first pass makes, and does not infer its types: the second one does.
TEST(MakeFinding, BlamesThePassWhoseTargetIsTypedWronglyForTheErrorOfAnother) {
  ScriptedSubject subject;
  subject.add("Misplaces", [](const Module& module) {
    Module result = module;
    Function function = *result.functions[0].function;
    Binding& last = function.body.blocks.back().bindings.back();
    last.var = make_var(last.var->name, tensor_type({Dim(1)}, DType::float32, 1));
    function.body.result = var_expr(last.var);
    result.functions[0].function = std::make_shared<const Function>(std::move(function));
    return result;
  });
  subject.add("Sound", nothing_done);
  subject.set_contradicts_types(false);
  Pass infers;
  infers.name = "Infers";
  subject.add(std::move(infers), [](const Module&, const TransformOptions&) {
    TransformReply reply;
    reply.result = Refused{"TypeError", "TypeError@expr.cc:infer", ""};
    return reply;
  });
  const TestCase test{parse_text(R"(
@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm", 0, "global"), I.vdevice("llvm", 1, "global")]})
    @R.function
    def main(x: R.Tensor((1,), "float32", vdevice="llvm:0:global")) -> R.Tensor((1,), "float32"):
        y = R.exp(x)
        return y
)").value(), "main", {floats({1})}};
  const auto blamed = [&](const std::string& first) {
    const Verdict error{.symptom = Symptom::internal_error, .stage = Stage::transform, .check = "transforms", .culprit = "Infers", .site = "TypeError@expr.cc:infer", .detail = ""};
    const auto finding = make_finding(subject, test, {{first, "{}"}, {"Infers", "{}"}}, error, {}, {.max_checks = 0}, "seed 7");
    return finding ? finding->cause : Cause();
  };
  EXPECT_EQ(blamed("Misplaces").passes, std::vector<std::string>{"Misplaces"});
  EXPECT_NE(blamed("Misplaces").ill_typed, "");
  EXPECT_EQ(blamed("Sound").passes, std::vector<std::string>{"Infers"});
}

TEST(MakeFinding, WithoutChecksToSpendKeepsTheCaseAsItIs) {
  PassesOfThree subject;
  const auto finding = find(subject, {{"Swap", "{}"}}, {}, {.max_checks = 0});
  ASSERT_TRUE(finding.has_value());
  EXPECT_TRUE(structural_equal(finding->test.module, source_case().module));
}

class WriteFinding : public testing::Test {
 protected:
  WriteFinding() : root_(fs::temp_directory_path() / ("passdiff-finding-" + std::to_string(getpid()))) {
    fs::remove_all(root_);
  }
  ~WriteFinding() override { fs::remove_all(root_); }

  static std::string content(const fs::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }
  static std::set<std::string> files_in(const fs::path& folder) {
    std::set<std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.is_regular_file()) files.insert(fs::relative(entry.path(), folder).string());
    }
    return files;
  }

  PassesOfThree subject_;
  fs::path root_;
};

TEST_F(WriteFinding, WritesEveryFileOfTheFolder) {
  const auto finding = find(subject_, {{"Swap", "{}"}});
  ASSERT_TRUE(finding.has_value());
  const auto folder = write_finding(subject_, *finding, root_);
  ASSERT_TRUE(folder.ok()) << folder.error().message;
  const std::set<std::string> expected = {
      "README.md",          "case.json", "issue.md",     "repro.py",
      "source.py",          "target.py", "verdict.json", "unreduced/module.json",
      "unreduced/source.py"};
  EXPECT_EQ(files_in(*folder), expected);
  EXPECT_EQ(folder->parent_path(), root_);
  EXPECT_EQ(content(*folder / "repro.py"), "# mismatch\n");
  EXPECT_EQ(content(*folder / "target.py"), print(*finding->checked.target));
  EXPECT_EQ(content(*folder / "unreduced" / "source.py"), print(finding->unreduced.module));
  const auto verdict = nlohmann::json::parse(content(*folder / "verdict.json"));
  EXPECT_EQ(verdict["format"], kReportFormat);
  EXPECT_EQ(verdict["symptom"], "mismatch");
  EXPECT_EQ(verdict["severity"], "wrong-result");
  EXPECT_EQ(verdict["pass"], "Swap");
  EXPECT_EQ(verdict["signature"], finding->signature);
  EXPECT_EQ(verdict["bindings"], 1);
  const std::string issue = content(*folder / "issue.md");
  EXPECT_NE(issue.find(print(finding->test.module)), std::string::npos);
  EXPECT_NE(issue.find("wrong result"), std::string::npos);
  EXPECT_NE(issue.find("Swap promises not to swap."), std::string::npos);
}

TEST_F(WriteFinding, TellsTheLineThatIsUndefined) {
  auto finding = find(subject_, {{"Swap", "{}"}});
  ASSERT_TRUE(finding.has_value());
  finding->checked.verdict.place = Place{std::string(kTargetFile), 14, "C[i] = A[i + 1]"};
  const auto folder = write_finding(subject_, *finding, root_);
  ASSERT_TRUE(folder.ok()) << folder.error().message;
  const auto verdict = nlohmann::json::parse(content(*folder / "verdict.json"));
  EXPECT_EQ(verdict["place"], (nlohmann::json{{"file", "target.py"}, {"line", 14}, {"text", "C[i] = A[i + 1]"}}));
  EXPECT_NE(content(*folder / "issue.md").find("That is line 14 of the module after the pass: `C[i] = A[i + 1]`\n"), std::string::npos);
}

TEST_F(WriteFinding, ReplaysAsItWasFound) {
  const auto finding = find(subject_, {{"Swap", "{}"}});
  const auto folder = write_finding(subject_, finding.value(), root_);
  ASSERT_TRUE(folder.ok());
  const auto read = read_case(*folder);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_TRUE(structural_equal(read->test.module, finding->test.module));
  EXPECT_EQ(read->passes, finding->pipeline);
  EXPECT_EQ(read->origin, "seed 7, case 1234");
  const Replay replayed = replay(subject_, *read);
  EXPECT_EQ(replayed.expected, "mismatch");
  EXPECT_TRUE(replayed.as_expected()) << symptom_name(replayed.actual.symptom);
}

TEST_F(WriteFinding, LeavesAnExistingFolderAlone) {
  const auto finding = find(subject_, {{"Swap", "{}"}});
  const auto folder = write_finding(subject_, finding.value(), root_);
  ASSERT_TRUE(folder.ok());
  std::ofstream(*folder / "README.md") << "notes of a person";
  fs::remove(*folder / "target.py");
  const auto again = write_finding(subject_, finding.value(), root_);
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(*again, *folder);
  EXPECT_EQ(content(*folder / "README.md"), "notes of a person");
  EXPECT_FALSE(fs::exists(*folder / "target.py"));
}

TEST_F(WriteFinding, LeavesNothingBehindButTheFolder) {
  const auto finding = find(subject_, {{"Swap", "{}"}});
  ASSERT_TRUE(write_finding(subject_, finding.value(), root_).ok());
  EXPECT_EQ(std::distance(fs::directory_iterator(root_), fs::directory_iterator()), 1);
}

TEST_F(WriteFinding, IsAnErrorAndNothingElseWhereItCannotBeWritten) {
  const auto finding = find(subject_, {{"Swap", "{}"}});
  std::ofstream(root_) << "a file where the folder should be";
  const auto folder = write_finding(subject_, finding.value(), root_);
  ASSERT_FALSE(folder.ok());
  EXPECT_EQ(folder.error().code, "case.write");
  EXPECT_EQ(content(root_), "a file where the folder should be");
}

}  // namespace
}  // namespace passdiff
