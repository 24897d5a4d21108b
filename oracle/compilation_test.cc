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
    subject_.set_machine([this](const TestCase& test, const Pipeline& pipeline, const CallPlan& plan, const MachineCode& code) {
      ++asked_;
      if (pipeline.empty() ? !source_has_code_ : !why_target_has_none_.empty())
        return VmReply{{}, stage_, {"TypeError", site_of(pipeline, code), why_target_has_none_}};
      VmReply reply;
      reply.value = std::get<Returned>(run_plan(test.module, plan, test.arguments)).value;
      return reply;
    });
  }

  std::string site_of(const Pipeline& pipeline, const MachineCode& code) const {
    if (!pipeline.empty()) return site_of_target_;
    return code.without.empty() ? "TypeError@cast.cc" : site_without_pass_;
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
  std::string site_of_target_ = "TypeError@cast.cc";     // where its build fails; that of the source does so here
  std::string site_without_pass_ = "TypeError@cast.cc";  // where the build fails that does without the pass
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

// LegalizeOps, without which there is no code, makes a function that no later pass takes.
TEST_F(Compilation, OfTheSourceMayFailByTheJudgedPassToo) {
  source_has_code_ = false;
  EXPECT_EQ(form_confirmed(), Symptom::unconfirmed) << "it fails without the pass, too";
  site_without_pass_ = "ValueError@codegen.cc";
  EXPECT_EQ(form_confirmed(), Symptom::ill_formed);
  site_of_target_ = "ValueError@codegen.cc";
  EXPECT_EQ(form_confirmed(), Symptom::unconfirmed) << "the target fails at something else";
  site_of_target_ = "TypeError@cast.cc";
  stage_ = "run";
  EXPECT_EQ(form_confirmed(), Symptom::unconfirmed) << "it has code";
  stage_ = "compile";
  why_target_has_none_.clear();
  EXPECT_EQ(form_confirmed(), Symptom::unconfirmed) << "the target has code";
}

TEST_F(Compilation, OfAnOpWithoutCodeTellsNothing) {
  stage_ = "lower";
  EXPECT_EQ(judged(), Symptom::unsupported);
  EXPECT_EQ(confirmed(), Symptom::unconfirmed);
}

}  // namespace
}  // namespace passdiff
