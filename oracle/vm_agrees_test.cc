// What the machine makes of a target that the interpreter finds right may be the doing of a pass of the build.
#include <gtest/gtest.h>

#include <limits>

#include "core/eval/interpret.h"
#include "core/tensor/tensor.h"
#include "core/text/text.h"
#include "oracle/scripted_subject.h"

namespace passdiff {
namespace {

Module module_with(const std::string& op) {
  return parse_text("@R.function\ndef main(x: R.Tensor((2,), \"float32\")):\n    a = R." + op + "(x, x)\n    return a\n").value();
}

Value one_and(double second) {
  Tensor tensor = zeros(DType::float32, std::vector<std::int64_t>{2});
  std::get<Tensor::Floats>(tensor.values) = {1, second};
  return make_tensor(std::move(tensor));
}

// The verdict on a pass that makes a right target, of which the machine returns something else. The subject has one more pass, which makes this target.
Verdict verdict_beside(const std::string& op_of_the_other, bool build_runs_it, Numerics numerics = Numerics::exact, double second = 1) {
  ScriptedSubject subject;
  subject.add("renames", [](const Module& module) {
    Module target = module;
    target.attrs["seen"] = true;
    return target;
  }, {.alters = {"attrs"}});
  Pass other;
  other.name = "other";
  other.in_default_pipeline = build_runs_it;
  other.contract.numerics = numerics;
  subject.add(other, [&](const Module&, const TransformOptions&) { return ScriptedSubject::reply_of(module_with(op_of_the_other)); });
  subject.set_machine([&](const TestCase&, const Pipeline& pipeline, const CallPlan&, const MachineCode&) {
    VmReply reply;
    reply.value = pipeline.empty() ? Value(std::get<Returned>(interpret(module_with("add"), "main", std::vector<Value>{one_and(second)})).value)
                                   : one_and(second);
    return reply;
  });
  CheckOptions options;
  options.sampling.set("vm-agrees", 1);
  const TestCase test{module_with("add"), "main", {one_and(second)}};
  return check(subject, test, Pipeline{{"renames", "{}"}}, options).verdict;
}

TEST(VmAgrees, BlamesNoPassForWhatTheBuildDoesToItsTarget) {
  EXPECT_EQ(verdict_beside("add", true).symptom, Symptom::mismatch) << "the build errs nowhere that the interpreter could see";
  EXPECT_EQ(verdict_beside("subtract", false).symptom, Symptom::mismatch) << "the build does not run the pass that errs";
  const Verdict innocent = verdict_beside("subtract", true);
  EXPECT_EQ(innocent.symptom, Symptom::unconfirmed) << to_string(innocent);
  EXPECT_NE(innocent.detail.find("the interpreter finds the target right, and other wrong"), std::string::npos) << innocent.detail;
}

TEST(VmAgrees, BlamesNoPassForWhatAnInfinityExcusesInTheBuild) {
  const auto verdict_on_infinity = [](const std::string& op_of_the_other) {
    return verdict_beside(op_of_the_other, true, Numerics::reassociated, std::numeric_limits<double>::infinity()).symptom;
  };
  EXPECT_EQ(verdict_on_infinity("subtract"), Symptom::unconfirmed);
  EXPECT_EQ(verdict_on_infinity("add"), Symptom::mismatch) << "the build changes nothing that would need an excuse";
}

// A target that is wrong itself is wrong after each pass of the build, too, which have no part in that it does not compile.
TEST(VmAgrees, BlamesNoPassOfTheBuildForWhatIsOnlyCompiled) {
  ScriptedSubject subject;
  Pass other;
  other.name = "other";
  other.in_default_pipeline = true;
  subject.add(other, [](const Module& module, const TransformOptions&) { return ScriptedSubject::reply_of(module); });
  subject.add("breaks", [](const Module&) { return module_with("subtract"); });
  subject.set_machine([](const TestCase& test, const Pipeline& pipeline, const CallPlan&, const MachineCode&) {
    VmReply reply;
    if (pipeline.empty()) {
      reply.value = test.arguments.front();
    } else {
      reply.stage = "compile";
      reply.error.site = "InternalError@build";
    }
    return reply;
  });
  CheckOptions options{.only_compiles = true};
  options.sampling.set("vm-agrees", 1);
  const TestCase test{module_with("add"), "main", {one_and(1)}};
  const Verdict verdict = check(subject, test, Pipeline{{"breaks", "{}"}}, options).verdict;
  EXPECT_EQ(verdict.symptom, Symptom::does_not_compile) << to_string(verdict);
}

// Of targets that the IR cannot hold the machine runs some where it judges a sample of all others, and the same ones each time.
TEST(VmAgrees, JudgesASampleOfUnreadableTargets) {
  ScriptedSubject subject;
  Pass pass;
  pass.name = "lowers";
  subject.add(pass, [](const Module&, const TransformOptions&) {
    TransformReply reply;
    reply.result = Transformed{std::nullopt, false, "dim Call"};
    return reply;
  });
  subject.set_machine([](const TestCase&, const Pipeline&, const CallPlan&, const MachineCode&) {
    VmReply reply;
    reply.value = one_and(2);
    return reply;
  });
  const Module module = parse_text("@R.function\ndef main(x: R.Tensor((2,), \"float32\")):\n    return x\n").value();
  const TestCase test{module, "main", {one_and(2)}};
  std::vector<Pipeline> pipelines;
  for (int i = 0; i < 64; ++i) pipelines.push_back({{"lowers", "{\"level\":" + std::to_string(i) + "}"}});
  const auto judged = [&](unsigned one_in) {
    CheckOptions options;
    options.sampling.set("vm-agrees", one_in);
    std::vector<int> agreed;
    const std::vector<Checked> checked = check(subject, test, pipelines, options);
    for (int i = 0; i < 64; ++i) {
      const Verdict& verdict = checked[static_cast<std::size_t>(i)].verdict;
      if (verdict.symptom == Symptom::agree) agreed.push_back(i);
      EXPECT_TRUE(verdict.symptom == Symptom::agree || verdict.symptom == Symptom::unsupported) << to_string(verdict);
    }
    return agreed;
  };
  EXPECT_EQ(judged(1).size(), 64u);
  EXPECT_EQ(judged(0).size(), 0u);
  const std::vector<int> sample = judged(4096);
  EXPECT_GT(sample.size(), 2u);
  EXPECT_LT(sample.size(), 14u);
  EXPECT_EQ((std::vector<int>{sample[0], sample[1]}), (std::vector<int>{0, 1}));
  EXPECT_EQ(judged(4096), sample);
}

}  // namespace
}  // namespace passdiff
