// Does the generator reach what passes react to? Each op, each idiom, each structural feature, in a few
// thousand cases.
#include <gtest/gtest.h>

#include "core/gen/census.h"
#include "core/gen/generate.h"
#include "core/gen/graph_builder.h"

namespace passdiff {
namespace {

constexpr std::uint64_t kCounted = 4000;

Census census_of(std::uint64_t cases) {
  Census census;
  for (std::uint64_t i = 0; i < cases; ++i) {
    const std::vector<std::uint8_t> bytes = campaign_bytes(7, i, 512);
    Choices choices(bytes);
    census.add(generate_test_case(choices));
  }
  return census;
}

TEST(Census, FindsEveryOpAndEveryFeature) {
  const Census census = census_of(kCounted);
  for (const OpDef& op : all_ops()) {
    if (!op.pass_made) EXPECT_GT(census.count(std::string(op.name)), 5) << op.name;
  }
  for (const char* feature : {"private function",
                              "attribute of a private function",
                              "second public function",
                              "two functions with num_input",
                              "no num_input",
                              "vdevices",
                              "module attributes",
                              "empty argument",
                              "rank 0",
                              "rank 1",
                              "rank 2",
                              "rank 3",
                              "rank 4",
                              "rank 5",
                              "symbolic parameter",
                              "tuple parameter",
                              "shape parameter",
                              "parameter on a vdevice",
                              "unused parameter",
                              "tuple returned",
                              "bare parameter returned",
                              "constant returned",
                              "nested tuple returned",
                              "parameter returned in a tuple",
                              "the same variable returned twice",
                              "value used and returned",
                              "several blocks",
                              "dataflow block",
                              "plain block",
                              "dataflow variable",
                              "unknown shape",
                              "match_cast",
                              "alias",
                              "bound constant",
                              "tuple made",
                              "tuple indexed",
                              "if",
                              "local function",
                              "call of a function",
                              "call of a local function",
                              "call on constants",
                              "negative axis"}) {
    EXPECT_GT(census.count(feature), 5) << feature;
  }
  for (const DType dtype : drawn_dtypes()) {
    if (!is_minifloat(dtype)) EXPECT_GT(census.count(std::string(dtype_name(dtype))), 5) << dtype_name(dtype);
  }
}

// An idiom by itself on an empty graph: how often it makes at least two bindings.
int made_by(const Idiom& idiom, std::uint64_t cases) {
  int made = 0;
  GenerateOptions options;
  for (std::uint64_t i = 0; i < cases; ++i) {
    const std::vector<std::uint8_t> bytes = campaign_bytes(3, i, 256);
    Choices choices(bytes);
    Config config = draw_config(choices, options);
    config.vdevices = 2;
    CaseDraft draft{.config = config, .options = options, .module = {}, .known_functions = {}};
    FunctionDraft function;
    GraphBuilder graph(draft, function);
    idiom.make(choices, graph);
    made += graph.binding_count() >= 2 ? 1 : 0;
  }
  return made;
}

TEST(Census, EveryIdiomMostlyMakesItsPattern) {
  for (const Idiom& idiom : idiom_table()) EXPECT_GT(made_by(idiom, 200), 100) << idiom.name;
}

}  // namespace
}  // namespace passdiff
