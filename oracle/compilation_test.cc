// What is said of a target that does not compile.
#include <gtest/gtest.h>

#include "oracle/execute.h"
#include "oracle/scripted_subject.h"
#include "oracle/source_run.h"
#include "oracle/test_modules.h"
#include "oracle/witness.h"

namespace passdiff {
namespace {

const Pipeline kPipeline = {{"Forget", "{}"}};

// The pass Forget may refuse what has no shape. Of the machine the tests say which side has code.
class Compilation : public testing::Test {
 protected:
  Compilation() {
    Contract contract;
    contract.rejections = {"says:without a shape"};
    subject_.add("Forget", [](const Module& module) { return module; }, contract);
    subject_.set_machine([this](const TestCase& test, const Pipeline& pipeline, const CallPlan& plan, const MachineCode&) {
      ++asked_;
      if (pipeline.empty() ? !source_has_code_ : !why_target_has_none_.empty())
        return VmReply{{}, stage_, {"TypeError", "TypeError@cast.cc", why_target_has_none_}};
      VmReply reply;
      reply.value = std::get<Returned>(run_plan(test.module, plan, test.arguments)).value;
      return reply;
    });
  }

  Symptom judged() {
    const SourceRun source(test_);
    return Witness(subject_, source).judge_compilation(kPipeline, contract_of_pipeline(subject_, kPipeline), source.plan()).symptom;
  }
  Symptom confirmed() {
    const SourceRun source(test_);
    Verdict verdict{.symptom = Symptom::wrong_type, .detail = "another shape"};
    Witness(subject_, source).confirm(kPipeline, source.plan(), nullptr, verdict);
    return verdict.symptom;
  }
  Symptom form_confirmed() {
    const SourceRun source(test_);
    Verdict verdict{.symptom = Symptom::ill_formed, .detail = "a variable that nothing defines"};
    Witness(subject_, source).confirm_form(kPipeline, source.plan(), verdict);
    return verdict.symptom;
  }

  const TestCase test_ = negation();
  ScriptedSubject subject_;
  bool source_has_code_ = true;
  std::string why_target_has_none_ = "no such cast";
  std::string stage_ = "compile";
  int asked_ = 0;
};

TEST_F(Compilation, OfTheSourceIsAskedForWhereTheTargetHasNoCode) {
  EXPECT_EQ(judged(), Symptom::does_not_compile);
  source_has_code_ = false;
  EXPECT_EQ(judged(), Symptom::unconfirmed);
  EXPECT_EQ(std::exchange(asked_, 0), 4);
  why_target_has_none_.clear();
  EXPECT_EQ(judged(), Symptom::agree);
  EXPECT_EQ(asked_, 1);
}

TEST_F(Compilation, MayBeRefusedForWhatAPassMayRefuse) {
  EXPECT_EQ(confirmed(), Symptom::does_not_compile);
  EXPECT_EQ(form_confirmed(), Symptom::ill_formed);
  why_target_has_none_ = "no code without a shape";
  EXPECT_EQ(judged(), Symptom::rejected);
  EXPECT_EQ(confirmed(), Symptom::unconfirmed) << "nothing shows whether its types are wrong";
  EXPECT_EQ(form_confirmed(), Symptom::unconfirmed);
}

TEST_F(Compilation, OfAnOpWithoutCodeTellsNothing) {
  stage_ = "lower";
  EXPECT_EQ(judged(), Symptom::unsupported);
  EXPECT_EQ(confirmed(), Symptom::unconfirmed);
}

}  // namespace
}  // namespace passdiff
