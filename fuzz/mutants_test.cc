#include "fuzz/mutants.h"

#include <gtest/gtest.h>

namespace passdiff {
namespace {

MutationScore measure(std::int64_t cases, int jobs) {
  const std::atomic<bool> never = false;
  MutantOptions options{.faults = {find_fault("lift-transform-params/output-dropped"),
                                   find_fault("eliminate-common-subexpr/dataflow-leak")},
                        .cases_per_fault = cases,
                        .jobs = jobs};
  return *measure_mutants(options, [](const std::string&) {}, never);
}

TEST(Mutants, SaysAfterHowManyCasesByWhichCheckAndHowSmall) {
  const MutationScore score = measure(1000, 1);
  ASSERT_EQ(score.detections.size(), 2u);
  const Detection& dropped = score.detections[0];
  EXPECT_EQ(dropped.fault->name, "lift-transform-params/output-dropped");
  EXPECT_GT(dropped.cases, 0);
  EXPECT_EQ(dropped.check, dropped.fault->check);
  EXPECT_EQ(dropped.symptom, Symptom::ill_formed);
  EXPECT_EQ(dropped.bindings, 0);
  EXPECT_EQ(score.sound.cases, 1000);
  EXPECT_TRUE(score.perfect());
}

TEST(Mutants, SaysTheSameWithAnyNumberOfJobs) {
  const MutationScore one = measure(500, 1);
  const MutationScore two = measure(500, 2);
  for (std::size_t i = 0; i < one.detections.size(); ++i) {
    EXPECT_EQ(one.detections[i].cases, two.detections[i].cases);
    EXPECT_EQ(one.detections[i].bindings, two.detections[i].bindings);
  }
}

TEST(Mutants, AFaultThatTooFewCasesShowLowersTheScore) {
  // Case 0, the only one, shows neither fault.
  const MutationScore score = measure(1, 1);
  EXPECT_LT(score.found(), 2);
  EXPECT_FALSE(score.perfect());
}

}  // namespace
}  // namespace passdiff
