#include "fuzz/campaign/reduction_queue.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "core/text/text.h"
#include "oracle/findings/signature.h"

namespace passdiff {
namespace {

Candidate candidate(std::int64_t index, std::string pass, Symptom symptom, std::set<std::string> edit = {}) {
  Candidate made{.index = index, .test = {}, .pipeline = {{pass, "{}"}}, .verdict = {.symptom = symptom}, .edit = std::move(edit), .origin = "a test"};
  made.verdict.culprit = std::move(pass);
  made.verdict.check = "outputs-refine";
  made.test.module = parse_text("@I.ir_module\nclass Module:\n    @R.function\n    def main():\n        return R.tuple()\n").value();
  return made;
}

std::vector<std::int64_t> indices(const std::vector<Candidate>& taken) {
  std::vector<std::int64_t> all;
  for (const Candidate& one : taken) all.push_back(one.index);
  return all;
}

TEST(ReductionQueue, TakesOneCaseOfEachKeyTheWorstFirst) {
  ReductionQueue queue("tvm 0.27");
  queue.add(candidate(1, "P", Symptom::internal_error));
  queue.add(candidate(2, "P", Symptom::internal_error));
  queue.add(candidate(3, "Q", Symptom::mismatch));
  EXPECT_EQ(indices(queue.take({8, 8})), (std::vector<std::int64_t>{3, 1}));
  EXPECT_EQ(indices(queue.take({8, 8})), (std::vector<std::int64_t>{2}));
}

TEST(ReductionQueue, ThoseOnWhichAPassHangsMayHaveToWait) {
  ReductionQueue queue("tvm 0.27");
  queue.add(candidate(1, "P", Symptom::timeout));
  queue.add(candidate(2, "Q", Symptom::memory));
  queue.add(candidate(3, "Q", Symptom::mismatch));
  EXPECT_EQ(indices(queue.take({8, 0})), (std::vector<std::int64_t>{3}));
  EXPECT_EQ(indices(queue.take_unseen({8, 1})).size(), 1U);
  EXPECT_EQ(indices(queue.take_unseen({8, 8})).size(), 1U);
}

TEST(ReductionQueue, ThoseOfKeysThatWereReducedMayHaveToWait) {
  ReductionQueue queue("tvm 0.27");
  queue.add(candidate(1, "P", Symptom::mismatch));
  queue.reduced(key_of(queue.take({8, 8}).front().verdict), {}, true);
  queue.add(candidate(2, "P", Symptom::mismatch));
  queue.add(candidate(3, "Q", Symptom::mismatch));
  EXPECT_EQ(indices(queue.take({8, 8, 0})), (std::vector<std::int64_t>{3}));
  EXPECT_EQ(indices(queue.take({8, 8, 1})), (std::vector<std::int64_t>{2}));
}

TEST(ReductionQueue, AKeyThatBringsNothingNewBacksOffAndNeverCloses) {
  ReductionQueue queue("tvm 0.27");
  const std::string key = key_of(candidate(0, "P", Symptom::mismatch).verdict);
  int taken = 0;
  for (int i = 0; i < 1000; ++i) {
    queue.count(key, 1);
    queue.add(candidate(i, "P", Symptom::mismatch));
    for (std::size_t n = queue.take({8, 8}).size(); n > 0; --n, ++taken) queue.reduced(key, {}, false);
  }
  EXPECT_GE(taken, 10);
  EXPECT_LE(taken, 13);  // the count doubles from one to the next
}

TEST(ReductionQueue, WhatAPassHasNotDoneBeforeGoesFirst) {
  ReductionQueue queue("tvm 0.27");
  queue.add(candidate(1, "P", Symptom::mismatch, {"~take"}));
  const std::vector<Candidate> first = queue.take({8, 8});
  ASSERT_EQ(first.size(), 1U);
  queue.reduced(key_of(first[0].verdict), first[0].edit, true);
  for (int i = 2; i < 20; ++i) queue.add(candidate(i, "P", Symptom::mismatch, {"~take"}));
  queue.add(candidate(20, "P", Symptom::mismatch, {"~matmul"}));
  for (int i = 21; i < 40; ++i) queue.add(candidate(i, "P", Symptom::mismatch, {"~take"}));
  EXPECT_EQ(indices(queue.take({1, 1})), (std::vector<std::int64_t>{20}));
}

TEST(ReductionQueue, WhatWaitsIsTakenUpAgain) {
  const auto any = [](const Candidate&) { return true; };
  const auto folder = std::filesystem::temp_directory_path() / ("passdiff-queue-" + std::to_string(getpid()));
  ReductionQueue queue("tvm 0.27");
  queue.add(candidate(1, "P", Symptom::mismatch));
  queue.add(candidate(2, "Q", Symptom::crash));
  ASSERT_FALSE(queue.save(folder));
  ReductionQueue other("native 1");
  other.load(folder, any);
  EXPECT_EQ(other.unseen(), 0);
  other.forget_taken(folder);  // takes nothing away that is not its own
  ReductionQueue severe("tvm 0.27");
  severe.load(folder, [](const Candidate& candidate) { return candidate.verdict.symptom == Symptom::crash; });
  EXPECT_EQ(severe.waiting(), 1);
  severe.forget_taken(folder);  // nor what is not wanted now
  ReductionQueue again("tvm 0.27");
  again.load(folder, any);
  EXPECT_EQ(again.unseen(), 2);
  const std::vector<Candidate> taken = again.take_unseen({8, 8});
  ASSERT_EQ(taken.size(), 2U);
  EXPECT_EQ(taken[0].verdict.symptom, Symptom::mismatch);
  EXPECT_EQ(taken[0].origin, "a test");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace passdiff
