#include "passes/tvm/options.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "core/documents/json.h"
#include "core/tensor/tensor.h"
#include "passes/tvm/build_pipelines.h"
#include "passes/tvm/tvm_passes.h"

namespace passdiff {
namespace {

Module weighted_module() {
  const Result<nlohmann::json> document =
      parse_json(R"({"passdiff": 1, "functions": [{"name": "main", "public": true,
      "symbols": [], "vars": [["x", ["t", [2], "float32"], 0], ["w", ["t", [2], "float32"], 0]], "params": [0, 1],
      "pure": true, "attrs": {"num_input": 1}, "result": ["t", [2], "float32"], "body": [[], 0]}],
      "vdevices": [["llvm", 0, "global"], ["llvm", 1, "global"]], "attrs": {}})");
  return module_from_json(document.value()).value();
}

TEST(TvmPasses, HaveNamesOfTheirOwn) {
  std::set<std::string> names;
  for (const Pass& pass : tvm_pass_table()) names.insert(pass.name);
  EXPECT_EQ(names.size(), tvm_pass_table().size());
  EXPECT_EQ(names.size(), 126U);
}

TEST(TvmPasses, OfBuildPipelinesAreInTheTableAndMarked) {
  for (const BuildPipeline& build : tvm_build_pipelines()) {
    for (const std::string_view name : build.passes) {
      const auto found = std::ranges::find(tvm_pass_table(), name, &Pass::name);
      ASSERT_NE(found, tvm_pass_table().end()) << name;
      EXPECT_TRUE(found->in_default_pipeline) << name;
    }
  }
}

TEST(TvmPasses, NeedOnlyPassesOfTheTableThatCanBeDriven) {
  for (const Pass& pass : tvm_pass_table()) {
    for (const std::string_view needed : pass.contract.needs) {
      const auto found = std::find_if(tvm_pass_table().begin(), tvm_pass_table().end(),
                                      [&](const Pass& other) { return other.name == needed; });
      ASSERT_NE(found, tvm_pass_table().end()) << pass.name << " needs " << needed;
      EXPECT_TRUE(found->unsupported.empty()) << pass.name << " needs " << needed;
    }
  }
}

TEST(TvmPasses, MakeContractsOfWhateverOptions) {
  for (const char* options : {"7", "{}", R"({"func_name": 1})", R"({"func_name": "f", "target_index": "x", "require_grads": 3})",
                              R"({"func_name": "f", "require_grads": [1, {"$param": 2}]})", R"({"binding_map": [1]})"}) {
    for (const Pass& pass : tvm_pass_table()) {
      contract_of(pass, options);
      if (pass.bound != nullptr) pass.bound("main", options);
    }
  }
}

TEST(TvmPasses, TellWhatTheirOptionsBindOfTheFunctionThatTheyName) {
  const auto bound = [](std::string_view name, std::string_view function, std::string_view options) {
    const auto pass = std::ranges::find(tvm_pass_table(), name, &Pass::name);
    return pass->bound(function, options);
  };
  const Value ones = make_tensor(Tensor{DType::float32, Tensor::Floats{1, 1}});
  const std::string params = R"({"func_name": "main", "params": {"w": {"$tensor": )" + value_to_json(ones).dump() + "}}}";
  const BoundArguments weights = bound("BindParams", "main", params);
  ASSERT_EQ(weights.values.size(), 1u);
  EXPECT_TRUE(bit_equal(weights.values.at("w"), ones));
  EXPECT_TRUE(bound("BindParams", "other", params).values.empty());

  using Sizes = std::map<std::string, std::int64_t>;
  EXPECT_EQ(bound("BindSymbolicVars", "main", R"({"binding_map": {"n": 3}})").sizes, (Sizes{{"n", 3}}));
  EXPECT_EQ(bound("BindSymbolicVars", "main", R"({"binding_map": {"n": 3}, "func_name": null})").sizes, (Sizes{{"n", 3}}));
  EXPECT_EQ(bound("BindSymbolicVars", "other", R"({"binding_map": {"n": 3}, "func_name": "main"})").sizes, Sizes{});
}

TEST(TvmPasses, DrawOptionsThatAreJsonObjectsAndTheSameForTheSameBytes) {
  const Module module = weighted_module();
  const Module empty;
  for (const Pass& pass : tvm_pass_table()) {
    if (pass.draw_options == nullptr) continue;
    for (std::uint64_t i = 0; i < 50; ++i) {
      const std::vector<std::uint8_t> bytes = campaign_bytes(1, i, 32);
      for (const Module* subject : {&module, &empty}) {
        Choices first(bytes);
        Choices second(bytes);
        const std::string options = pass.draw_options(first, *subject);
        EXPECT_EQ(options, pass.draw_options(second, *subject)) << pass.name;
        const Result<nlohmann::json> document = parse_json(options);
        ASSERT_TRUE(document.ok() && document->is_object()) << pass.name << ": " << options;
      }
    }
  }
}

TEST(TvmPasses, ASharedTransformHasAConventionOfItsOwn) {
  const auto lift = std::find_if(tvm_pass_table().begin(), tvm_pass_table().end(),
                                 [](const Pass& pass) { return pass.name == "LiftTransformParams"; });
  ASSERT_NE(lift, tvm_pass_table().end());
  const auto convention = [&](std::string_view options) {
    return lift->contract_for(lift->contract, options).convention;
  };
  EXPECT_EQ(convention("{}"), Convention::lift_transform_params);
  EXPECT_EQ(convention(R"({"shared_transform": false})"), Convention::lift_transform_params);
  EXPECT_EQ(convention(R"({"shared_transform": true})"), Convention::shared_transform_params);
  EXPECT_EQ(convention(R"({"shared_transform": ["main"]})"), Convention::shared_transform_params);
}

TEST(TvmPasses, NoSharedTransformIsAskedForWhereItsNameIsTaken) {
  const auto lift = std::ranges::find(tvm_pass_table(), "LiftTransformParams", &Pass::name);
  ASSERT_NE(lift, tvm_pass_table().end());
  const auto shares = [&](const Module& module) {
    bool found = false;
    for (std::uint64_t i = 0; i < 64; ++i) {
      const std::vector<std::uint8_t> bytes = campaign_bytes(1, i, 32);
      Choices choices(bytes);
      found = found || lift->draw_options(choices, module) == R"({"shared_transform": true})";
    }
    return found;
  };
  Module module = weighted_module();
  EXPECT_TRUE(shares(module));
  module.functions.push_back(module.functions.front());
  module.functions.back().name = "transform_params";
  EXPECT_FALSE(shares(module));
}

TEST(PluginPass, RejectsAContractItDoesNotKnow) {
  const Result<Pass> pass = plugin_pass({{"name", "Mine"}, {"contract", {{"numerics", "sloppy"}}}});
  ASSERT_FALSE(pass.ok());
  EXPECT_EQ(pass.error().code, "subject.plugin");
  EXPECT_NE(pass.error().message.find("reassociated"), std::string::npos) << pass.error().message;
}

TEST(PluginPass, MayInline) {
  const Result<Pass> pass = plugin_pass({{"name", "Mine"}, {"contract", {{"inlines", true}}}});
  ASSERT_TRUE(pass.ok());
  EXPECT_TRUE(pass->contract.inlines);
}

TEST(PluginPass, IsHeldToLittleWithoutClaims) {
  const Result<Pass> pass = plugin_pass({{"name", "Mine"}});
  ASSERT_TRUE(pass.ok());
  EXPECT_EQ(pass->contract.numerics, Numerics::reassociated);
  EXPECT_FALSE(pass->contract.idempotent);
}

}  // namespace
}  // namespace passdiff
