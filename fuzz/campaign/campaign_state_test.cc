#include "fuzz/campaign/campaign_state.h"

#include <gtest/gtest.h>

namespace passdiff {
namespace {

namespace fs = std::filesystem;

Cause cause_under(std::string pass) {
  return {.kind = CauseKind::form,
          .symptom = Symptom::ill_formed,
          .passes = {std::move(pass)},
          .site = "form.undefined-var",
          .edit = {"+add"},
          .features = {"if"},
          .ill_typed = "main: a is declared int64"};
}

CampaignState state_with(std::vector<GrownCause> causes) {
  CampaignState state;
  state.causes = std::move(causes);
  return state;
}

TEST(CampaignState, KeepsCausesAsTheyHaveGrown) {
  const fs::path file = fs::path(testing::TempDir()) / "passdiff-campaign-state.json";
  const std::vector<GrownCause> causes = {{"/found/B", cause_under("P"), cause_under("Q")}, {"/found/A", cause_under("P"), cause_under("P")}};
  ASSERT_FALSE(write_state(state_with(causes), file));
  const std::optional<CampaignState> read = read_state(file);
  fs::remove(file);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->causes, causes);
}

// A finding whose cause were missing would count as one of a round that is made again.
TEST(CampaignState, KeepsNoCausesWhereOneCannotBeRead) {
  const fs::path file = fs::path(testing::TempDir()) / "passdiff-campaign-state-unreadable.json";
  ASSERT_FALSE(write_state(state_with({{"/found/A", cause_under("P"), cause_under("P")}, {"/found/B", {}, {}}}), file));  // B blames no pass
  const std::optional<CampaignState> read = read_state(file);
  fs::remove(file);
  ASSERT_TRUE(read);
  EXPECT_FALSE(read->causes);
}

TEST(CampaignState, TakesFindingsUpInTheOrderInWhichTheyWereMet) {
  const CampaignState state = state_with({{"/found/C", {}, {}}, {"/found/A", {}, {}}});
  const std::vector<fs::path> there = {"/found/A", "/found/B", "/found/C", "/found/D"};
  EXPECT_EQ(in_order_of(state, there, false), (std::vector<fs::path>{"/found/C", "/found/A", "/found/B", "/found/D"}));
  EXPECT_EQ(in_order_of(state, there, true), (std::vector<fs::path>{"/found/C", "/found/A"})) << "the others will be found again";
  EXPECT_EQ(in_order_of(CampaignState(), there, true), there) << "it does not tell which there were";
}

}  // namespace
}  // namespace passdiff
