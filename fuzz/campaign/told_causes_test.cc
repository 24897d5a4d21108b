#include "fuzz/campaign/told_causes.h"

#include <gtest/gtest.h>

namespace passdiff {
namespace {

Cause ill_formed_with(std::set<std::string> features) {
  return {.kind = CauseKind::form,
          .symptom = Symptom::ill_formed,
          .passes = {"P"},
          .site = "form.undefined-var",
          .edit = {},
          .features = std::move(features)};
}

// A campaign that goes on may tell a cause after others have joined it.
TEST(ToldCauses, HaveTheNamesOfTheirFirstFindings) {
  Finding finding;
  finding.cause = ill_formed_with({"if"});
  const MetCause met{finding, "/found/P", false, ill_formed_with({"if", "scalar"})};
  ASSERT_NE(name_of(met.alone), name_of(met.finding.cause));
  std::vector<DistinctBug> bugs;
  const std::set<std::string> nothing_ignored;
  ToldCauses told(nothing_ignored, bugs);
  told.tell(met, "key");
  told.tell(met, "other key");
  ASSERT_EQ(bugs.size(), 1u);
  EXPECT_EQ(bugs[0].name, name_of(met.alone));

  std::vector<DistinctBug> none;
  const std::set<std::string> ignored = {name_of(met.alone)};
  ToldCauses ignoring(ignored, none);
  ignoring.tell(met, "key");
  EXPECT_TRUE(none.empty());
}

}  // namespace
}  // namespace passdiff
