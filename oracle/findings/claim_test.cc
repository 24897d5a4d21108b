// What is asked of a claim before it is reduced.
#include <gtest/gtest.h>

#include <map>

#include "oracle/check.h"
#include "oracle/execute.h"
#include "oracle/findings/finding.h"
#include "oracle/scripted_subject.h"
#include "oracle/test_modules.h"

namespace passdiff {
namespace {

// The negation beside another use of its operand.
Module with_another_op(std::string_view op) {
  return module_of(kScalar, fmt::format("        z = R.{}(x)\n        y = R.negative(x)\n        return y\n", op));
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
  int runs = 0;
  subject.add("Chance", [&](const Module&) { return with_another_op(++runs == 2 ? "exp" : "sin"); });
  CheckOptions options{.confirm = false};
  options.sampling.set("repeatable", 1);
  const Pipeline pipeline = {{"Chance", "{}"}};
  const Verdict verdict = check(subject, negation(), pipeline, options).verdict;
  ASSERT_EQ(verdict.symptom, Symptom::nondeterministic);
  std::string unconfirmed;
  EXPECT_FALSE(make_finding(subject, negation(), pipeline, verdict, options, {}, "a test", {.unconfirmed = &unconfirmed}));
  EXPECT_EQ(unconfirmed, "two more runs of the pass do not differ");
  EXPECT_EQ(runs, 4) << "no candidate was tried";
}

// Candidates are not waited for so long, nor is that what a crash is believed for.
TEST(Claim, ThatThePassDiesIsWaitedForAsForOneThatItHangs) {
  ScriptedSubject subject;
  Pass dies;
  dies.name = "Dies";
  subject.add(dies, [](const Module&, const TransformOptions& options) {
    TransformReply reply;
    if (options.cpu_seconds < 5)
      reply.result = Timeout{options.cpu_seconds};
    else
      reply.result = Crash{"SIGSEGV"};
    return reply;
  });
  const TestCase test{module_of(kScalar, "        z = R.exp(x)\n        y = R.negative(z)\n        return y\n"), "main", negation().arguments};
  const Pipeline pipeline = {{"Dies", "{}"}};
  const CheckOptions options{.confirm = false, .cpu_seconds = 10};
  const Verdict verdict = check(subject, test, pipeline, options).verdict;
  ASSERT_EQ(verdict.symptom, Symptom::crash);
  const auto finding = make_finding(subject, test, pipeline, verdict, options, {}, "a test");
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->checked.verdict.symptom, Symptom::crash);
  EXPECT_LT(count_bindings(finding->test.module), count_bindings(test.module));
}

}  // namespace
}  // namespace passdiff
