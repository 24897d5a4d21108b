#include "fuzz/cause_list.h"

#include <gtest/gtest.h>

#include "oracle/scripted_subject.h"

namespace passdiff {
namespace {

Finding ill_formed(std::set<std::string> features) {
  Finding finding;
  finding.cause = {.kind = CauseKind::form,
                   .symptom = Symptom::ill_formed,
                   .passes = {"P"},
                   .site = "form.undefined-var",
                   .edit = {},
                   .features = std::move(features)};
  return finding;
}

TEST(CauseList, LosesNoLikenessToTheFirstFindingByWhatIsMetLater) {
  ScriptedSubject subject;
  CauseList list;
  list.add(ill_formed({"if", "match-cast", "unknown-shape"}), "first");
  const MetCause* met = list.find(subject, ill_formed({"if", "unknown-shape"}));
  ASSERT_NE(met, nullptr);
  EXPECT_EQ(met->finding.cause.features, (std::set<std::string>{"if", "unknown-shape"}));
  EXPECT_NE(list.find(subject, ill_formed({"if", "match-cast"})), nullptr) << "it is like the first, and needs less";
  EXPECT_EQ(list.find(subject, ill_formed({"match-cast", "symbolic-dim"})), nullptr);
}

}  // namespace
}  // namespace passdiff
