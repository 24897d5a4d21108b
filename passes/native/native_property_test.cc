// A property of all native passes without faults: generated modules become well-formed ones that can be called by the pass's
// convention.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/gen/generate.h"
#include "core/text/text.h"
#include "core/form/well_formed.h"
#include "passes/native/native_pass.h"

namespace passdiff {
namespace {

TEST(NativeProperty, TargetsAreWellFormedAndKeepTheirConvention) {
  const auto subject = make_native_subject();
  for (std::uint64_t i = 0; i < 300; ++i) {
    const auto bytes = campaign_bytes(5, i, 512);
    Choices choices(bytes);
    const TestCase test = generate_test_case(choices);
    for (const Pass& pass : subject->passes()) {
      const std::string options =
          pass.draw_options == nullptr ? "{}" : pass.draw_options(choices, test.module);
      const Contract contract = contract_of(pass, options);
      const Pipeline pipeline = {{pass.name, options}};
      const auto replies = subject->transform(test.module, std::span(&pipeline, 1), {});
      if (const auto* refused = std::get_if<Refused>(&replies[0].result)) {
        const bool expected =
            std::count(contract.rejections.begin(), contract.rejections.end(), refused->kind) > 0;
        EXPECT_TRUE(expected) << pass.name << ", case " << i << ": " << refused->message;
        continue;
      }
      const Module& target = *std::get<Transformed>(replies[0].result).target;
      const auto fault = well_formed(target);
      EXPECT_FALSE(fault.has_value())
          << pass.name << ", case " << i << ": " << fault->message << print(target);
      const CallPlan direct = direct_plan(test.entry, static_cast<int>(test.arguments.size()));
      const auto plan = apply_convention(contract.convention, direct, test.module, target);
      EXPECT_TRUE(plan.ok()) << pass.name << ", case " << i << ": " << plan.error().message;
    }
  }
}

}  // namespace
}  // namespace passdiff
