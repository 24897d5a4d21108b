#include "core/eval/limits.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "core/tensor/tensor.h"
#include "core/text/text.h"

namespace passdiff {
namespace {

Module parsed(const std::string& functions) {
  Result<Module> module = parse_text("@I.ir_module\nclass Module:\n" + functions);
  EXPECT_TRUE(module.ok()) << (module ? "" : module.error().message);
  return module ? *module : Module{};
}

// A weight of so many rows and columns, made of one element.
Module broadcast_to(std::int64_t rows, std::int64_t columns) {
  return parsed(fmt::format(R"(    @R.function
    def main(x: R.Tensor((1,), dtype="float32")) -> R.Tensor(({0}, {1}), dtype="float32"):
        w = R.broadcast_to(x, R.shape([{0}, {1}]))
        return w
)", rows, columns));
}

Module loops_of(std::int64_t rows, std::int64_t columns) {
  return parsed(fmt::format(R"(    @T.prim_func(private=True, s_tir=True)
    def f(y: T.Buffer((T.int64(1),), "float32")):
        for i, k in T.grid(T.int64({}), T.int64({})):
            y[T.int64(0)] = T.float32(1)
)", rows, columns));
}

TEST(Limits, AreTheUsualOnesForSmallModules) {
  EXPECT_EQ(limits_of(broadcast_to(4, 5), {}), Limits{});
  EXPECT_EQ(limits_of(loops_of(4, 5), {}), Limits{});
}

TEST(Limits, AllowWhatAWeightOfARealModelNeeds) {
  const Limits limits = limits_of(broadcast_to(10'000, 10'000), {});
  EXPECT_GE(limits.elements, 100'000'000);
  EXPECT_GE(limits.total_elements, 100'000'000);
  EXPECT_EQ(limits.steps, Limits{}.steps) << "it has no loops";
}

TEST(Limits, AllowWhatTheLoopsOfALayerRun) {
  EXPECT_GE(limits_of(loops_of(10'000, 25'000), {}).steps * kStatementsPerStep, 500'000'000);
}

TEST(Limits, FollowTheArgumentsWhereShapesAreSymbolic) {
  const Module module = parsed(R"(    @R.function
    def main(x: R.Tensor(("n",), dtype="float32")):
        y = R.add(x, x)
        return y
)");
  const Value x = make_tensor(zeros(DType::float32, std::vector<std::int64_t>{5'000'000}));
  EXPECT_GE(limits_of(module, {&x, 1}).elements, 5'000'000);
  EXPECT_EQ(limits_of(module, {}), Limits{});
}

TEST(Limits, AreTheUsualOnesWhereMoreIsDeclaredThanAMachineHolds) {
  EXPECT_EQ(limits_of(broadcast_to(1'000'000'000, 1'000'000'000), {}), Limits{});
  EXPECT_EQ(limits_of(loops_of(4'000'000'000, 4'000'000'000), {}), Limits{});
}

}  // namespace
}  // namespace passdiff
