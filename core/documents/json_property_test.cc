// Every generated module, and its arguments, is the same after it was written to a document and read again.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/gen/generate.h"
#include "core/ir/structural.h"
#include "core/documents/json.h"
#include "core/form/well_formed.h"

namespace passdiff {
namespace {

TEST(JsonProperty, EveryGeneratedCaseSurvivesItsDocuments) {
  for (std::uint64_t i = 0; i < 300; ++i) {
    const auto bytes = campaign_bytes(11, i, 512);
    Choices choices(bytes);
    const TestCase test = generate_test_case(choices);
    const auto wire = module_to_cbor(test.module);
    const auto back = module_from_cbor(wire);
    ASSERT_TRUE(back.ok()) << i << ": " << back.error().message;
    EXPECT_TRUE(structural_equal(test.module, *back)) << i;
    EXPECT_EQ(module_to_cbor(*back), wire) << i;
    EXPECT_FALSE(well_formed(*back).has_value()) << i;
    const auto text = module_from_json(*parse_json(to_json(test.module).dump()));
    ASSERT_TRUE(text.ok()) << i << ": " << text.error().message;
    EXPECT_TRUE(structural_equal(test.module, *text)) << i;
    for (const Value& argument : test.arguments) {
      const auto value = value_from_json(*parse_json(value_to_json(argument).dump()));
      ASSERT_TRUE(value.ok()) << i << ": " << value.error().message;
      EXPECT_TRUE(bit_equal(argument, *value)) << i;
    }
  }
}

}  // namespace
}  // namespace passdiff
