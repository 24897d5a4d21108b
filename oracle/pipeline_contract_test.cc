// How the conventions of the passes of a pipeline compose.
#include "oracle/pipeline_contract.h"

#include <gtest/gtest.h>

#include "core/text/text.h"

namespace passdiff {
namespace {

Module module_of(const std::string& params) {
  return parse_text("@R.function\ndef main(" + params + "):\n    return x\n").value();
}
const std::string kX = "x: R.Tensor((2,), \"float32\")", kW = "w: R.Tensor((2,), \"float32\")";

// UpdateVDevice makes modules that our IR does not hold.
TEST(PipelineContract, AModuleThatCannotBeReadIsCalledAsBefore) {
  PipelineContract contract;
  contract.each.resize(2);
  contract.each.back().convention = Convention::bind_params;
  const std::vector<std::optional<Module>> unread(1);
  const Module source = module_of(kX + ", " + kW), target = module_of(kX);
  CallPlan plan = direct_plan("main", 2);
  const std::optional<Error> error = follow_conventions(contract, source, unread, target, plan);
  EXPECT_FALSE(error) << error->message;
  EXPECT_EQ(to_string(plan, source), "main(x)\n");
}

TEST(PipelineContract, AFunctionThatTakesOtherArgumentsThanThePassesSayIsAnError) {
  PipelineContract contract;
  contract.each.resize(2);
  const std::vector<std::optional<Module>> unread(1);
  const Module source = module_of(kX + ", " + kW);
  CallPlan plan = direct_plan("main", 2);
  const std::optional<Error> error = follow_conventions(contract, source, unread, module_of(kX), plan);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code, "convention.arity");
}

}  // namespace
}  // namespace passdiff
