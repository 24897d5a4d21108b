// Dependencies point one way: fuzz -> oracle -> passes -> core; inside fuzz: views -> campaign
// -> cases; inside oracle: findings -> {the checks, reduction}; inside core: gen -> {eval, documents}, documents -> text ->
// form, eval -> form, form -> ops -> {ir, choices} -> tensor.
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace passdiff {
namespace {

// A folder may include those of its own rank and below.
int rank_of(const std::string& path) {
  static const std::map<std::string, int> kRanks = {
      {"core/tensor/", 1},    {"core/choices/", 2}, {"core/ir/", 2},   {"core/documents/wire/", 3},
      {"core/ops/", 3},       {"core/form/", 4},    {"core/text/", 5}, {"core/eval/", 5},
      {"core/documents/", 6}, {"core/gen/", 7},     {"passes/", 8},    {"oracle/", 10},
      {"oracle/reduction/", 9}, {"oracle/findings/", 11}, {"fuzz/cases/", 12}, {"fuzz/campaign/", 13},
      {"fuzz/views/", 14}, {"fuzz/", 15}};
  // Backwards: a folder stands after those that it is in.
  for (auto row = kRanks.rbegin(); row != kRanks.rend(); ++row) {
    if (path.starts_with(row->first)) return row->second;
  }
  return 0;  // core/check.h, core/result.h: everybody's
}

TEST(Layering, IncludesPointOneWay) {
  const std::filesystem::path root = PASSDIFF_SOURCE_DIR;
  int files = 0;
  for (const char* top : {"core", "passes", "oracle", "fuzz"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / top)) {
      const std::string path = std::filesystem::relative(entry.path(), root).string();
      const bool source = path.ends_with(".cc") || path.ends_with(".h");
      // Tests may use what is above: they exercise parts together.
      if (!source || path.ends_with("_test.cc")) continue;
      ++files;
      std::ifstream in(entry.path());
      const std::string marker = "#include \"";
      for (std::string line; std::getline(in, line);) {
        if (!line.starts_with(marker) || line.find(".h\"") == std::string::npos) continue;
        const std::string included = line.substr(marker.size(), line.rfind('"') - marker.size());
        EXPECT_LE(rank_of(included), rank_of(path)) << path << " includes " << included;
      }
    }
  }
  EXPECT_GT(files, 50);
}

// Written by cmake/targets.cmake: a library's folder, then those of the libraries that it links.
TEST(Layering, LibrariesLinkThoseBelowThem) {
  std::ifstream in(PASSDIFF_LINK_GRAPH);
  int libraries = 0;
  for (std::string line; std::getline(in, line); ++libraries) {
    std::istringstream folders(line);
    std::string library;
    folders >> library;
    EXPECT_GT(rank_of(library + "/"), 0) << library << " has no place among the layers";
    for (std::string linked; folders >> linked;) {
      const bool part = library.starts_with(linked + "/");  // passes/native of passes
      EXPECT_TRUE(part || rank_of(linked + "/") < rank_of(library + "/")) << library << " links " << linked;
    }
  }
  EXPECT_GT(libraries, 10);
}

}  // namespace
}  // namespace passdiff
