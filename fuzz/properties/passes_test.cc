// Every native pass, on every kind of module that it is meant for: the target refines the source, the contract holds, the
// input stays as it was.
#include <algorithm>
#include <cctype>

#include "core/documents/json.h"
#include "core/form/well_formed.h"
#include "core/ir/structural.h"
#include "core/text/text.h"
#include "fuzz/cases/drawn_case.h"
#include "fuzz/properties/pipeline.h"
#include "fuzz/properties/property.h"
#include "fuzz/properties/rename.h"
#include "oracle/check.h"
#include "oracle/scripted_subject.h"

namespace passdiff {
namespace {

std::vector<std::string> driven_passes() {
  std::vector<std::string> names;
  const auto subject = make_native_subject();
  for (const Pass& pass : subject->passes()) {
    if (pass.unsupported.empty()) names.push_back(pass.name);
  }
  return names;
}

void log_pipeline(const Pipeline& pipeline) {
  for (const PassCall& call : pipeline) RC_LOG() << call.name << " " << call.options << "\n";
}

void assert_no_finding(const Checked& checked) {
  if (!is_finding(checked.verdict.symptom)) return;
  if (checked.target) RC_LOG() << "target:\n" << print(*checked.target);
  const Verdict& verdict = checked.verdict;
  RC_FAIL(verdict.culprit + ": " + std::string(symptom_name(verdict.symptom)) + " by " + verdict.check +
          ": " + verdict.site + " " + verdict.detail);
}

class EveryPass : public testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Subject> subject_ = make_native_subject();
};

TEST_P(EveryPass, RefinesAndKeepsItsContract) {
  expect_holds(500, [&](const RandomCase& random) {
    const TestCase test = random.test();
    Choices choices(random.more);
    const Pipeline pipeline = pipeline_of(*subject_, GetParam(), test.module, choices);
    if (pipeline.empty()) return;
    log_pipeline(pipeline);
    assert_no_finding(check(*subject_, test, pipeline, every_check()));
  });
}

TEST_P(EveryPass, LeavesItsInputAloneAndGivesTheSameForACopy) {
  expect_holds(150, [&](const RandomCase& random) {
    const Module source = random.test().module;
    Choices choices(random.more);
    const Pipeline pipeline = pipeline_of(*subject_, GetParam(), source, choices);
    if (pipeline.empty()) return;
    log_pipeline(pipeline);
    const std::string before = print(source);
    const Bytes document = module_to_cbor(source);
    const TransformReply reply = subject_->transform(source, std::span(&pipeline, 1), {}).at(0);
    RC_ASSERT(print(source) == before);
    RC_ASSERT(module_to_cbor(source) == document);
    RC_ASSERT(!reply.input_mutated);
    const TransformReply other = subject_->transform(copied(source), std::span(&pipeline, 1), {}).at(0);
    RC_ASSERT(other.result.index() == reply.result.index());
    const auto* transformed = std::get_if<Transformed>(&reply.result);
    if (transformed == nullptr) return;
    const Module& target = *transformed->target;
    RC_LOG() << "target:\n" << print(target);
    RC_ASSERT(structural_equal(target, *std::get<Transformed>(other.result).target));
    RC_ASSERT(!transformed->unchanged || structural_equal(source, target));
  });
}

TEST_P(EveryPass, MakesTargetsThatSurviveTheirDocuments) {
  expect_holds(100, [&](const RandomCase& random) {
    const Module source = random.test().module;
    Choices choices(random.more);
    const Pipeline pipeline = pipeline_of(*subject_, GetParam(), source, choices);
    if (pipeline.empty()) return;
    log_pipeline(pipeline);
    const TransformReply reply = subject_->transform(source, std::span(&pipeline, 1), {}).at(0);
    const auto* transformed = std::get_if<Transformed>(&reply.result);
    if (transformed == nullptr) return;
    const Module& target = *transformed->target;
    RC_LOG() << "target:\n" << print(target);
    if (const auto fault = well_formed(target)) RC_FAIL(fault->code + ": " + fault->message);
    const Result<Module> text = parse_text(print(target));
    if (!text) RC_FAIL(text.error().code + ": " + text.error().message);
    RC_ASSERT(!well_formed(*text).has_value());
    // Text cannot say two plain blocks in a row, or a type that differs from what is inferred.
    RC_ASSERT(!has_faithful_text(target) || structural_equal(*text, target));
    const Result<Module> wire = module_from_cbor(module_to_cbor(target));
    RC_ASSERT(wire.ok());
    RC_ASSERT(structural_equal(*wire, target));
  });
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::erase_if(name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; });
  return name;
}
INSTANTIATE_TEST_SUITE_P(Native, EveryPass, testing::ValuesIn(driven_passes()), test_name);

// Refinement is transitive: what each pass keeps, passes in a row keep.
TEST(Pipelines, OfSoundPassesRefine) {
  const auto subject = make_native_subject();
  std::vector<const Pass*> passes;
  for (const std::string& name : driven_passes()) passes.push_back(find_pass(*subject, name));
  expect_holds(1500, [&](const RandomCase& random) {
    const TestCase test = random.test();
    Choices choices(random.more);
    constexpr int kLongest = 4;
    const Pipeline pipeline = draw_pipeline(passes, kLongest, choices, test.module);
    log_pipeline(pipeline);
    assert_no_finding(check(*subject, test, pipeline, every_check()));
  });
}

// Refinement is reflexive, for a module that stays as it is and for one rebuilt under other names.
TEST(Pipelines, ThatOnlyRenameRefine) {
  ScriptedSubject subject;
  subject.add("rename", [](const Module& module) { return renamed(module); });
  expect_holds(400, [&](const RandomCase& random) {
    const TestCase test = random.test();
    for (const Pipeline& pipeline :
         {Pipeline{}, Pipeline{{"rename", "{}"}}, Pipeline{{"rename", "{}"}, {"rename", "{}"}}}) {
      const Verdict verdict = check(subject, test, pipeline, every_check()).verdict;
      RC_LOG() << symptom_name(verdict.symptom) << " " << verdict.detail << "\n";
      // A source that is undefined, or traps, says nothing; else its copy does the same to the bit.
      RC_ASSERT(verdict.symptom == Symptom::agree || verdict.symptom == Symptom::undefined ||
                verdict.symptom == Symptom::trapped);
    }
  });
}

}  // namespace
}  // namespace passdiff
