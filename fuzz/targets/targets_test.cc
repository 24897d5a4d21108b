#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "passes/native/native_pass.h"

namespace passdiff {
namespace {

// Passes over TensorIR have none: what the targets generate holds no functions of it.
TEST(Targets, EveryNativePassOverGraphsHasOne) {
  std::istringstream list(PASSDIFF_TARGET_PASSES);
  std::vector<std::string> targets;
  for (std::string name; list >> name;) targets.push_back(name);
  for (const NativePass& row : native_passes()) {
    if (row.pass.contract.level != Level::graph) continue;
    EXPECT_NE(std::find(targets.begin(), targets.end(), row.pass.name), targets.end())
        << row.pass.name << ": add it to fuzz/targets/CMakeLists.txt";
  }
}

}  // namespace
}  // namespace passdiff
