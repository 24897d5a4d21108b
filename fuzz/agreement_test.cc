#include "fuzz/agreement.h"

#include <gtest/gtest.h>

#include "oracle/scripted_subject.h"

namespace passdiff {
namespace {

constexpr std::int64_t kCases = 20;

Module same(const Module& module) {
  return module;
}
// A module that means the same but is not structurally equal.
Module marked(const Module& module) {
  Module result = module;
  result.attrs["marked"] = true;
  return result;
}
Module without_mark(const Module& module) {
  Module result = module;
  result.attrs.erase("marked");
  return result;
}
Module without_functions(const Module&) {
  return {};
}

class AgreementTest : public testing::Test {
 protected:
  static Pass pass() { return {.name = "P", .contract = {.rejections = {"test.refused"}}}; }
  static void refuse(ScriptedSubject& subject) {
    subject.add(pass(), [](const Module&, const TransformOptions&) {
      TransformReply reply;
      reply.result = Refused{"test.refused", "here", "not this one"};
      return reply;
    });
  }

  Agreement measure() {
    const std::atomic<bool> never = false;
    const auto tell = [this](const Difference& difference) {
      EXPECT_EQ(difference.pass, "P");
      ++told_;
    };
    const auto rows = measure_agreement(native_, tvm_, {.passes = {}, .cases = kCases}, tell, never);
    EXPECT_TRUE(rows.ok());
    EXPECT_EQ(rows->size(), 1U);
    const Agreement& row = rows->at(0);
    EXPECT_EQ(row.cases, kCases);
    EXPECT_EQ(row.same + row.tidied + row.different + row.tvm_reported + row.native_reported + row.refused +
                  row.unjudged,
              row.cases);
    return row;
  }

  ScriptedSubject native_;
  ScriptedSubject tvm_;
  int told_ = 0;
};

TEST_F(AgreementTest, EqualTargetsAreTheSame) {
  native_.add("P", same);
  tvm_.add("P", same);
  const Agreement row = measure();
  EXPECT_GT(row.same, kCases / 2);
  EXPECT_EQ(row.same + row.unjudged, kCases);  // a generated source may be undefined
  EXPECT_EQ(told_, 0);
}

TEST_F(AgreementTest, WhatTidyingRemovesIsNoDifference) {
  native_.add("P", same);
  tvm_.add("P", marked);
  tvm_.add("DeadCodeElimination", without_mark);
  const Agreement row = measure();
  EXPECT_GT(row.tidied, kCases / 2);
  EXPECT_EQ(row.same + row.different, 0);
  EXPECT_EQ(told_, 0);
}

TEST_F(AgreementTest, OtherDifferencesAreTold) {
  native_.add("P", same);
  tvm_.add("P", marked);
  const Agreement row = measure();
  EXPECT_GT(row.different, kCases / 2);
  EXPECT_EQ(told_, row.different);
}

TEST_F(AgreementTest, ATargetThatBreaksItsContractIsNotCompared) {
  native_.add("P", same);
  tvm_.add("P", without_functions);
  EXPECT_EQ(measure().tvm_reported, kCases);
  ScriptedSubject broken;
  broken.add("P", without_functions);
  std::swap(native_, broken);
  EXPECT_EQ(measure().native_reported, kCases);
  EXPECT_EQ(told_, 0);
}

TEST_F(AgreementTest, ARefusalOfEitherSideIsCountedAsOne) {
  native_.add("P", same);
  refuse(tvm_);
  EXPECT_EQ(measure().refused, kCases);
}

TEST_F(AgreementTest, APassNamedTwiceIsNamedOnce) {
  native_.add("P", same);
  tvm_.add("P", same);
  const std::atomic<bool> never = false;
  const auto rows = measure_agreement(native_, tvm_, {.passes = {"P", "P"}, .cases = 1}, [](const Difference&) {}, never);
  ASSERT_TRUE(rows.ok());
  EXPECT_EQ(rows->size(), 1u);
}

TEST_F(AgreementTest, APassThatOneSideLacksIsAnError) {
  native_.add("P", same);
  const std::atomic<bool> never = false;
  const auto rows = measure_agreement(native_, tvm_, {.passes = {"P"}}, [](const Difference&) {}, never);
  ASSERT_FALSE(rows.ok());
  EXPECT_EQ(rows.error().code, "agreement.pass");
}

}  // namespace
}  // namespace passdiff
