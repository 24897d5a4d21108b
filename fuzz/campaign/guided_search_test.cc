#include "fuzz/campaign/guided_search.h"

#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "oracle/scripted_subject.h"

namespace passdiff {
namespace {

namespace fs = std::filesystem;

Pass pass_of_cost(std::string name, unsigned cost) {
  Pass pass;
  pass.name = std::move(name);
  pass.cost = cost;
  return pass;
}

// A random pipeline costs what its last pass costs.
TEST(GuidedSearch, LearnsWhatChecksCost) {
  const fs::path folder = fs::temp_directory_path() / ("passdiff-guided-search-" + std::to_string(getpid()));
  ScriptedSubject subject;
  const auto run = [](const Module& module, const TransformOptions&) { return ScriptedSubject::reply_of(module); };
  subject.add(pass_of_cost("Quick", 1), run);
  subject.add(pass_of_cost("Slow", 12), run);
  std::vector<const Pass*> passes;
  for (const Pass& pass : subject.passes()) passes.push_back(&pass);
  GuidedSearch search(1, folder, subject, passes, {}, 1);
  const SeenCase seen{.index = 0, .checks = {{"Quick", 5}, {"Slow", 5}, {">Slow", 2}}, .shown = {}, .active = {}};
  ASSERT_FALSE(search.learn({seen}, subject, {}));
  const auto& costs = search.counts().passes;
  EXPECT_EQ(costs.at("Quick").cost, 5);
  EXPECT_EQ(costs.at("Slow").cost, 60);
  EXPECT_EQ(costs.at(">Slow").cost, 24);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace passdiff
