// Targets whose runs contradict what a block of TensorIR declares, which shows in no result.
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/tensor/tensor.h"
#include "core/text/text.h"
#include "oracle/check.h"
#include "oracle/scripted_subject.h"

namespace passdiff {
namespace {

constexpr std::string_view kRole = "R.func_attr({\"role\": \"main\"})";

// A block copies x, and declares that it reads this.
Module copying(std::string_view reads, std::string_view attributes = kRole) {
  return parse_text(fmt::format(R"(
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def f(x: T.Buffer((T.int64(2),), "float32"), y: T.Buffer((T.int64(2),), "float32")):
        for i in range(T.int64(2)):
            with T.sblock("b"):
                v_i = T.axis.spatial(T.int64(2), i)
                T.reads({})
                T.writes(y[v_i])
                y[v_i] = x[v_i]

    @R.function
    def main(x: R.Tensor((2,), dtype="float32")):
        {}
        cls = Module
        y = R.call_tir(cls.f, (x,), out_ty=R.Tensor((2,), dtype="float32"))
        return y
)",
                                reads, attributes))
      .value();
}

// The verdict on a pass that makes this target of a module whose block declares all that it reads.
Verdict verdict_on(ScriptedSubject& subject, const Module& target) {
  const std::string name = fmt::format("P{}", subject.passes().size());
  subject.add(name, [&](const Module&) { return target; });
  const TestCase test{copying("x[v_i]"), "main", {make_tensor(Tensor{DType::float32, Tensor::Floats{1, 2}})}};
  return check(subject, test, Pipeline{{name, "{}"}}, {}).verdict;
}

TEST(ContradictedBlock, IsAFindingIfTheSubjectsOwnAnalysisFindsItToo) {
  const Module target = copying("x[T.int64(0)]");
  ScriptedSubject subject;
  EXPECT_EQ(verdict_on(subject, target).symptom, Symptom::unconfirmed) << "it has none";
  subject.set_block_analysis({});
  EXPECT_EQ(verdict_on(subject, target).symptom, Symptom::unconfirmed) << "it finds nothing";
  subject.set_block_analysis({.contradiction = "x[v_i] is accessed", .answered = true, .error = {}});
  const Verdict verdict = verdict_on(subject, target);
  EXPECT_EQ(verdict.symptom, Symptom::ill_formed) << to_string(verdict);
  EXPECT_EQ(verdict.site, "undeclared-access");
  EXPECT_EQ(verdict.complaint, "x[v_i] is accessed");
  EXPECT_EQ(verdict_on(subject, copying("x[v_i]")).symptom, Symptom::agree);
}

TEST(ContradictedBlock, IsNotSettledByAnAnalysisWithoutAnAnswer) {
  ScriptedSubject subject;
  subject.set_block_analysis({.contradiction = {}, .answered = false, .error = {"lost", "subject.lost", "it died"}});
  const Verdict verdict = verdict_on(subject, copying(""));
  EXPECT_EQ(verdict.symptom, Symptom::unsupported);
  EXPECT_EQ(verdict.site, "subject.lost");
}

TEST(ContradictedBlock, YieldsToWhatElseIsWrong) {
  for (const bool analyses : {false, true}) {
    ScriptedSubject subject;
    if (analyses) subject.set_block_analysis({.contradiction = "x[v_i] is accessed", .answered = true, .error = {}});
    EXPECT_EQ(verdict_on(subject, copying("", "R.func_attr({})")).symptom, Symptom::not_kept);
  }
}

}  // namespace
}  // namespace passdiff
