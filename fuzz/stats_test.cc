#include "fuzz/stats.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "oracle/scripted_subject.h"

namespace passdiff {
namespace {

Stats stats_of(int jobs) {
  const std::atomic<bool> go = false;
  const auto native = []() -> Result<std::unique_ptr<Subject>> { return make_native_subject(); };
  Result<Stats> stats = measure_stats(native, {.passes = {}, .seed = 3, .cases = 200, .jobs = jobs}, go);
  CHECK(stats.ok()) << stats.error().message;
  return *std::move(stats);
}

TEST(Stats, CountWhatPassesDoAndWhatCasesAreMadeOf) {
  const Stats stats = stats_of(1);
  EXPECT_EQ(stats.cases, 200);
  const PassStats& combine = stats.passes.at("CombineParallelMatmul");
  EXPECT_GT(combine.drawn_for, 10);
  EXPECT_LT(combine.drawn_for, combine.given);
  EXPECT_GT(combine.changed, 0);
  EXPECT_LE(combine.changed_of_drawn_for, combine.changed);
  EXPECT_GT(combine.ways.size(), 5u);
  const PassStats& lazy = stats.passes.at("LazyGetInput");
  EXPECT_EQ(lazy.drawn_for, lazy.given);  // no idiom is for it: all cases are
  EXPECT_GT(stats.census.ops().at("relax.matmul"), 10);
  EXPECT_GT(std::count_if(stats.idioms.begin(), stats.idioms.end(), [](const auto& idiom) { return idiom.second > 0; }), 20);
}

TEST(Stats, SayWhatEachColumnCounts) {
  const std::string text = table(stats_of(1));
  for (const char* column : {"drawn for", "given", "changed", "share", "ways", "refused", "undecided", "unreadable"})
    EXPECT_NE(text.find(std::string(column) + ": "), std::string::npos) << column;
}

TEST(Stats, DoNotDependOnTheNumberOfJobs) {
  EXPECT_EQ(json_line(stats_of(1)), json_line(stats_of(3)));
}

TEST(Stats, CountWhatAPassChangesOfWhatItIsGiven) {
  const auto scripted = []() -> Result<std::unique_ptr<Subject>> {
    auto subject = std::make_unique<ScriptedSubject>();
    const auto marked = [](const std::string& name) {
      return [name](Module module) {
        module.attrs[name] = true;
        return module;
      };
    };
    subject->add("First", marked("first"));
    subject->add("Idle", [](const Module& module) { return module; }, {.needs = {"First"}});
    subject->add("Second", marked("second"), {.needs = {"First", "Idle"}});
    return std::unique_ptr<Subject>(std::move(subject));
  };
  const std::atomic<bool> go = false;
  const Result<Stats> stats = measure_stats(scripted, {.passes = {"Idle", "Second"}, .seed = 3, .cases = 20, .jobs = 1}, go);
  ASSERT_TRUE(stats.ok());
  EXPECT_EQ(stats->passes.at("Idle").changed, 0);
  EXPECT_EQ(stats->passes.at("Second").changed, 20);
  EXPECT_EQ(stats->passes.at("Second").ways.size(), 1u);
}

TEST(Stats, AreOneObjectOfJson) {
  const nlohmann::json object = nlohmann::json::parse(json_line(stats_of(1)));
  EXPECT_EQ(object["cases"], 200);
  for (const char* field : {"passes", "ops", "dtypes", "ranks", "idioms", "features"}) {
    EXPECT_FALSE(object[field].empty()) << field;
  }
}

}  // namespace
}  // namespace passdiff
