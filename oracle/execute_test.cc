#include "oracle/execute.h"

#include <gtest/gtest.h>

#include "core/tensor/tensor.h"
#include "core/text/text.h"

namespace passdiff {
namespace {

// More elements, too, than ops make whose types do not declare them.
TEST(RunPlan, RunsWhatIsTooLargeForTheUsualLimits) {
  const Module module = parse_text(R"(
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1,), dtype="bool")) -> R.Tensor((20000000,), dtype="bool"):
        w = R.broadcast_to(x, R.shape([20000000]))
        return w
)").value();
  const Value x = make_tensor(zeros(DType::boolean, std::vector<std::int64_t>{1}));
  EXPECT_TRUE(std::holds_alternative<LimitExceeded>(interpret(module, "main", {&x, 1})));
  EXPECT_TRUE(std::holds_alternative<Returned>(run_plan(module, direct_plan("main", 1), {&x, 1})));
}

}  // namespace
}  // namespace passdiff
