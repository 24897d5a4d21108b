#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "passes/native/native_pass.h"

namespace passdiff {
namespace {

TEST(Targets, EveryNativePassHasOne) {
  std::istringstream list(PASSDIFF_TARGET_PASSES);
  std::vector<std::string> targets;
  for (std::string name; list >> name;) targets.push_back(name);
  for (const NativePass& row : native_passes()) {
    EXPECT_NE(std::find(targets.begin(), targets.end(), row.pass.name), targets.end())
        << row.pass.name << ": add it to fuzz/targets/CMakeLists.txt";
  }
}

}  // namespace
}  // namespace passdiff
