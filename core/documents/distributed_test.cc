// Modules with distributed tensors as JSON and CBOR.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/documents/json.h"
#include "core/ir/structural.h"
#include "core/text/text.h"

namespace passdiff {
namespace {

using nlohmann::json;

Module distributed_sample() {
  return *parse_text(R"py(
@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2, 2), I.Range(4, 8)), R.device_mesh((2,), [5, 3])]})
    @R.function
    def main(x: R.DTensor((4, 4), "float32", "mesh[0]", "S[1], R")) -> R.DTensor((4, 4), "float32", "mesh[0]", "R, S[0]"):
        y: R.DTensor((4, 4), "float32", "mesh[0]", "S[1], R") = R.add(x, R.dist.const(1.0, R.DTensor((), "float32", "mesh[0]", "R, R")))
        z: R.DTensor((4, 4), "float32", "mesh[0]", "R, S[0]") = R.dist.redistribute(y, device_mesh="mesh[0]", placement="R, S[0]")
        return z
)py");
}

TEST(DistributedDocument, ModuleSurvivesJsonAndCbor) {
  const Module module = distributed_sample();
  const auto back = module_from_json(*parse_json(to_json(module).dump()));
  ASSERT_TRUE(back.ok()) << back.error().message;
  EXPECT_TRUE(structural_equal(module, *back));
  EXPECT_EQ(back->meshes, module.meshes);
  const auto wire = module_from_cbor(module_to_cbor(module));
  ASSERT_TRUE(wire.ok()) << wire.error().message;
  EXPECT_EQ(module_to_cbor(*wire), module_to_cbor(module));
}

TEST(DistributedDocument, HasTheFormsThatTheGuideSays) {
  const json document = to_json(distributed_sample());
  EXPECT_EQ(document["meshes"], json::parse("[[[2, 2], 4], [[2], [5, 3]]]"));
  const json& x = document["functions"][0]["vars"][0][1];
  EXPECT_EQ(x, json::parse(R"(["t", [4, 4], "float32", null, [0, [1, null]]])"));
  EXPECT_FALSE(to_json(Module{}).contains("meshes"));
}

TEST(DistributedDocument, FaultsAreReportedWithTheirPath) {
  const json good = to_json(distributed_sample());
  const auto fault = [&](const char* pointer, const json& value) {
    json bad = good;
    bad[json::json_pointer(pointer)] = value;
    const auto result = module_from_json(bad);
    return result.ok() ? std::string("accepted") : result.error().code;
  };
  EXPECT_EQ(fault("/functions/0/vars/0/1/4/0", 2), "json.index");
  EXPECT_EQ(fault("/functions/0/vars/0/1/4/1/0", -1), "json.number");
  EXPECT_EQ(fault("/meshes/0/0", json::array({2, 70000})), "json.number");
  EXPECT_EQ(fault("/meshes/1/1", json::array({1})), "json.number");
}

}  // namespace
}  // namespace passdiff
