#include "fuzz/ranking.h"

#include <gtest/gtest.h>

namespace passdiff {
namespace {

Cause cause(Symptom symptom, std::string pass, std::set<std::string> edit = {}) {
  return {.kind = CauseKind::values, .symptom = symptom, .passes = {std::move(pass)}, .site = {}, .edit = std::move(edit), .features = {}};
}

TEST(Ranking, SeverityGoesBeforeDefaultPipelinesAndTheseBeforeDifference) {
  const Cause refused = cause(Symptom::internal_error, "P");
  const Cause wrong = cause(Symptom::mismatch, "P");
  const Cause wrong_by_default = cause(Symptom::mismatch, "Q");
  EXPECT_EQ(rank({{&refused, true}, {&wrong, false}, {&wrong_by_default, true}}), (std::vector<std::size_t>{2, 1, 0}));
}

TEST(Ranking, AmongEqualsTheOneThatDiffersMostIsNext) {
  const Cause first = cause(Symptom::mismatch, "P", {"~take"});
  const Cause alike = cause(Symptom::mismatch, "P", {"~take", "+reshape"});
  const Cause another = cause(Symptom::mismatch, "Q", {"~take"});
  EXPECT_EQ(rank({{&first}, {&alike}, {&another}}), (std::vector<std::size_t>{0, 2, 1}));
}

TEST(Ranking, NothingHasNoOrder) {
  EXPECT_TRUE(rank({}).empty());
}

}  // namespace
}  // namespace passdiff
