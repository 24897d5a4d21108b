// What is asked of a claim before it is reduced.
#include <gtest/gtest.h>

#include <map>

#include "core/tensor/tensor.h"
#include "core/text/text.h"
#include "oracle/check.h"
#include "oracle/execute.h"
#include "oracle/findings/finding.h"
#include "oracle/scripted_subject.h"
#include "oracle/source_run.h"
#include "oracle/witness.h"

namespace passdiff {
namespace {

TestCase negation() {
  return {parse_text(R"(
@R.function
def main(x: R.Tensor((), "float32")):
    y = R.negative(x)
    return y
)")
              .value(),
          "main",
          {make_tensor(zeros(DType::float32, std::vector<std::int64_t>{}))}};
}

// The module with another use of its parameter.
Module with_another_op(std::string_view op) {
  return parse_text(fmt::format("@R.function\ndef main(x: R.Tensor((), \"float32\")):\n    z = R.{}(x)\n    y = R.negative(x)\n    return y\n", op))
      .value();
}

// Where the last pass got what compiles, that is enough to blame it: what the passes before it made is not compiled.
TEST(Claim, ThatATargetDoesNotCompileIsHeldAgainstTheLastPassAlone) {
  ScriptedSubject subject;
  for (const auto& [pass, op] : std::map<std::string, std::string>{{"A", "exp"}, {"B", "sin"}, {"C", "cos"}})
    subject.add(pass, [name = op](const Module&) { return with_another_op(name); });
  std::map<std::size_t, int> compiled;  // by the number of passes
  subject.set_machine([&](const TestCase& test, const Pipeline& pipeline, const CallPlan& plan, const MachineCode& code) -> VmReply {
    compiled[pipeline.size()] += code.only_compiled ? 1 : 0;
    if (!pipeline.empty() && pipeline.back().name == "C") return {{}, "compile", {"TypeError", "TypeError@cast.cc", "no such cast"}};
    VmReply reply;
    reply.value = std::get<Returned>(run_plan(test.module, plan, test.arguments)).value;
    return reply;
  });
  const Pipeline pipeline = {{"A", "{}"}, {"B", "{}"}, {"C", "{}"}};
  const CheckOptions options{.sampling = Sampling::every_case()};
  const Verdict verdict = check(subject, negation(), pipeline, options).verdict;
  ASSERT_EQ(verdict.symptom, Symptom::does_not_compile);
  EXPECT_TRUE(make_finding(subject, negation(), pipeline, verdict, options, {.max_checks = 0}, "a test"));
  EXPECT_EQ(compiled[1], 0);
  EXPECT_GT(compiled[2], 0);
}

// A claim that two runs differ is not reduced where two more do not.
TEST(Claim, ThatRunsDifferMustHoldOnceMore) {
  ScriptedSubject subject;
  int runs = 0, differs_at = 2;
  subject.add("Chance", [&](const Module&) { return with_another_op(++runs == differs_at ? "exp" : "sin"); });
  const auto found = [&](std::string* unconfirmed) {
    CheckOptions options{.confirm = false};
    options.sampling.set("repeatable", 1);
    runs = 0;
    const Pipeline pipeline = {{"Chance", "{}"}};
    const Verdict verdict = check(subject, negation(), pipeline, options).verdict;
    EXPECT_EQ(verdict.symptom, Symptom::nondeterministic);
    return make_finding(subject, negation(), pipeline, verdict, options, {}, "a test", {.unconfirmed = unconfirmed});
  };
  std::string unconfirmed;
  EXPECT_FALSE(found(&unconfirmed));
  EXPECT_EQ(unconfirmed, "two more runs of the pass do not differ");
  EXPECT_EQ(runs, 4) << "no candidate was tried";
}

}  // namespace
}  // namespace passdiff
