#include "fuzz/campaign/ranking.h"

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

// A user reads of a scan once before of all else, whether or not it is in a default pipeline.
TEST(Ranking, WhatTellsTheSameOfAnotherOpOfItsFamilyIsLastOfItsSeverity) {
  const Cause sum = cause(Symptom::added_undefined, "P", {"+call_tir", "-cumsum"});
  const Cause product = cause(Symptom::added_undefined, "P", {"+call_tir", "-cumprod"});
  const Cause another = cause(Symptom::added_undefined, "P", {"+call_tir", "-take"});
  const Cause rare = cause(Symptom::mismatch, "Q");
  const Cause refused = cause(Symptom::internal_error, "P");
  EXPECT_EQ(rank({{&sum, true}, {&product, true}, {&another, true}, {&rare, false}, {&refused, true}}), (std::vector<std::size_t>{0, 2, 3, 1, 4}));
}

TEST(Ranking, SoIsWhatTellsTheSameOfTheSameAttributeOfAnotherOp) {
  const auto ignores = [](const std::string& op, const std::string& attribute) {
    Cause ignored = cause(Symptom::mismatch, "P", {"+call_tir", "-" + op});
    ignored.features = {op + "." + attribute};
    return ignored;
  };
  const Cause group = ignores("nn.group_norm", "scale");
  const Cause instance = ignores("nn.instance_norm", "scale");
  const Cause another = ignores("nn.instance_norm", "axes");
  const Cause none = cause(Symptom::mismatch, "P", {"+call_tir", "-take"});
  EXPECT_EQ(rank({{&group}, {&instance}, {&another}, {&none}}), (std::vector<std::size_t>{0, 2, 3, 1}));
  const Cause flag = ignores("nn.instance_norm", "center");
  EXPECT_EQ(rank({{&group}, {&flag}, {&none}}), (std::vector<std::size_t>{0, 2, 1})) << "two flags that both norms have";
}

TEST(Ranking, SoIsWhatAnotherPassOfALibraryDoes) {
  const Cause fallback = cause(Symptom::mismatch, "dlight.gpu.Fallback", {"-T.for", "-T.sblock"});
  const Cause reduction = cause(Symptom::mismatch, "dlight.gpu.GeneralReduction", {"-T.for", "-T.sblock"});
  const Cause elsewhere = cause(Symptom::mismatch, "s_tir.P", {"-T.for", "-T.sblock"});
  EXPECT_EQ(rank({{&fallback}, {&reduction}, {&elsewhere}}), (std::vector<std::size_t>{0, 2, 1}));
}

TEST(Ranking, NothingHasNoOrder) {
  EXPECT_TRUE(rank({}).empty());
}

}  // namespace
}  // namespace passdiff
