#include "fuzz/campaign/corpus.h"

#include <chrono>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "fuzz/campaign/corpus_tools.h"
#include "fuzz/campaign/disk_bound.h"
#include "fuzz/campaign/guided_search.h"
#include "fuzz/cases/drawn_case.h"

namespace passdiff {
namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::uint8_t>;

class CorpusTest : public testing::Test {
 protected:
  CorpusTest() : folder_(fs::temp_directory_path() / ("passdiff-corpus-" + std::to_string(getpid()))) {}
  ~CorpusTest() override { fs::remove_all(folder_); }

  Corpus corpus(std::uint64_t seed = 1) const { return Corpus(folder_, "test", seed); }
  std::size_t files() const { return entry_files(folder_).size(); }

  fs::path folder_;
};

TEST_F(CorpusTest, KeepsInputsThatShowSomethingNew) {
  Corpus one = corpus();
  EXPECT_EQ(one.add(Bytes{1, 2}, {{"P", {3, 4}}}, 0, {"P", "Q"}).value(), (Behaviour{{"P", {3, 4}}}));
  EXPECT_EQ(one.add(Bytes{5}, {{"P", {4}}}, 1).value(), Behaviour{});
  EXPECT_EQ(one.add(Bytes{6}, {{"P", {4, 5}}, {"Q", {4}}}, 2).value(), (Behaviour{{"P", {5}}, {"Q", {4}}}));
  EXPECT_EQ(files(), 2U);
  Corpus again = corpus();
  again.read();
  ASSERT_EQ(again.entries().size(), 2U);
  EXPECT_EQ(again.entries()[0].input, (Bytes{1, 2}));
  EXPECT_EQ(again.entries()[0].active, (std::set<std::string>{"P", "Q"}));
  EXPECT_EQ(again.entries()[1].input, (Bytes{6}));
  EXPECT_EQ(again.seen(), one.seen());
  EXPECT_EQ(again.by_pass(), one.by_pass());
}

TEST_F(CorpusTest, LeavesFilesAloneThatAreNoneOfItsEntries) {
  ASSERT_TRUE(corpus().add(Bytes{1}, {{"P", {3}}}, 0).ok());
  std::ofstream(folder_ / "0000000000000000.input.json") << "{\"kind\": \"test\", \"input\": \"zz\"";
  std::ofstream(folder_ / "0000000000000001.input.json") << R"({"kind": "test", "input": "0g", "first": {}, "active": [], "seed": 1, "case": 1})";
  std::ofstream(folder_ / "0000000000000002.input.json") << R"({"kind": 7})";
  std::ofstream(folder_ / "notes.txt") << "mine";
  ASSERT_TRUE(Corpus(folder_, "another kind", 1).add(Bytes{9}, {{"P", {3}}}, 0).ok());
  Corpus again = corpus();
  again.read();
  EXPECT_EQ(again.entries().size(), 1U);
  EXPECT_EQ(corpus_stats(folder_).unreadable, 3);
  EXPECT_EQ(corpus_stats(folder_).kinds.at("another kind").entries, 1);
  EXPECT_TRUE(fs::exists(folder_ / "notes.txt"));
}

TEST_F(CorpusTest, TakesUpWhatOthersAddMeanwhile) {
  Corpus one = corpus(1), two = corpus(2);
  ASSERT_TRUE(one.add(Bytes{1}, {{"P", {3}}}, 0).ok());
  ASSERT_TRUE(two.add(Bytes{2}, {{"P", {3, 4}}}, 0).ok());
  one.read();
  ASSERT_EQ(one.entries().size(), 2U);
  EXPECT_EQ(one.entries()[1].first, (Behaviour{{"P", {4}}}));  // 3 was known
  two.read();
  EXPECT_EQ(two.entries().size(), 1U);  // the other's shows nothing that is new here
}

TEST_F(CorpusTest, ForgetsTheCasesThatAreDrawnAgain) {
  Corpus one = corpus(1), two = corpus(2);
  for (std::int64_t i = 0; i < 4; ++i) ASSERT_TRUE(one.add(Bytes{std::uint8_t(i)}, {{"P", {std::uint16_t(i)}}}, i).ok());
  ASSERT_TRUE(two.add(Bytes{9}, {{"Q", {3}}}, 3).ok());
  corpus(1).forget(2, 100);
  Corpus again = corpus(1);
  again.read();
  EXPECT_EQ(again.seen(), (Behaviour{{"P", {0, 1}}, {"Q", {3}}}));
}

TEST_F(CorpusTest, MergingCopiesWhatIsMissing) {
  ASSERT_TRUE(Corpus(folder_ / "a", "test", 1).add(Bytes{1}, {{"P", {3}}}, 0).ok());
  ASSERT_TRUE(Corpus(folder_ / "b", "test", 2).add(Bytes{2}, {{"P", {3}}}, 0).ok());
  ASSERT_TRUE(Corpus(folder_ / "c", "test", 3).add(Bytes{3}, {{"P", {3, 4}}}, 0).ok());
  const std::vector<fs::path> from = {folder_ / "b", folder_ / "c"};
  const CorpusChange change = merge_corpora(folder_ / "a", from).value();
  EXPECT_EQ(change.kept, 1);
  EXPECT_EQ(change.features, 2);
  EXPECT_EQ(entry_files(folder_ / "a").size(), 2U);
  EXPECT_EQ(merge_corpora(folder_ / "a", from).value().kept, 0);
  const std::vector<fs::path> nowhere = {folder_ / "d"};
  EXPECT_EQ(merge_corpora(folder_ / "a", nowhere).error().code, "corpus.missing");
}

TEST_F(CorpusTest, MinimisingKeepsAllThatInputsShow) {
  const auto subject = make_native_subject();
  std::vector<const Pass*> passes;
  for (const Pass& pass : subject->passes()) passes.push_back(&pass);
  // Every case claims something of its own, as if cases had come from campaigns that knew nothing of each other.
  Corpus claims(folder_, corpus_kind(*subject, passes), 1);
  for (std::uint16_t i = 0; i < 12; ++i) ASSERT_TRUE(claims.add(fresh_input(1, i % 6u), {{"claim", {i}}}, i).ok());
  const CorpusChange first = minimise_corpus(*subject, folder_, [] {}).value();
  EXPECT_EQ(first.entries, 12);
  EXPECT_LE(first.kept, 6);  // equal inputs show nothing more
  EXPECT_GT(first.features, 50);
  EXPECT_EQ(static_cast<std::int64_t>(files()), first.kept);
  const CorpusChange second = minimise_corpus(*subject, folder_, [] {}).value();
  EXPECT_EQ(second.kept, first.kept);
  EXPECT_EQ(second.features, first.features);
}

TEST_F(CorpusTest, WhatShowedLeastGoesFirstWhereTheDiskIsBounded) {
  Corpus one = corpus();
  ASSERT_TRUE(one.add(Bytes(100, 1), {{"P", {1, 2, 3}}}, 0).ok());
  ASSERT_TRUE(one.add(Bytes(100, 2), {{"P", {4}}}, 1).ok());
  const std::uintmax_t all = keep_within(1 << 20, folder_ / "findings", folder_);
  EXPECT_EQ(files(), 2U);
  EXPECT_LT(keep_within(all - 1, folder_ / "findings", folder_), all);
  Corpus again = corpus();
  again.read();
  EXPECT_EQ(again.seen(), (Behaviour{{"P", {1, 2, 3}}}));
  keep_within(1, folder_ / "findings", folder_);
  EXPECT_EQ(files(), 0U);
}

TEST_F(CorpusTest, WhatWasLeftHalfWrittenIsRemovedOnceItIsOld) {
  fs::create_directories(folder_ / "corpus");
  const fs::path young = folder_ / "corpus" / "a.input.json.1.partial", old = folder_ / "state.json.2.partial";
  for (const fs::path& file : {young, old}) std::ofstream(file) << "half";
  fs::last_write_time(old, fs::file_time_type::clock::now() - std::chrono::hours(1));
  remove_partial(folder_, folder_ / "corpus");
  EXPECT_TRUE(fs::exists(young));
  EXPECT_FALSE(fs::exists(old));
}

}  // namespace
}  // namespace passdiff
