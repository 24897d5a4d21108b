#include "oracle/argument_sets.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "core/tensor/tensor.h"
#include "core/text/text.h"

namespace passdiff {
namespace {

Value floats(std::vector<std::int64_t> shape, double element) {
  Tensor tensor = zeros(DType::float32, shape);
  auto& values = std::get<Tensor::Floats>(tensor.values).storage();
  std::fill(values.begin(), values.end(), element);
  return make_tensor(std::move(tensor));
}

// The sets that each module gets.
std::vector<ArgumentSet> usual_sets(const TestCase& test) {
  std::vector<ArgumentSet> sets = more_arguments(test);
  std::erase_if(sets, [](const ArgumentSet& set) { return set.floats == FloatValues::large; });
  return sets;
}

// A function of one parameter, x of this type, that returns one call.
TestCase unary_case(const std::string& type, const std::string& call, Value x) {
  const std::string text = "@R.function\ndef main(x: " + type + "):\n    y = " + call + "\n    return y\n";
  return {parse_text(text).value(), "main", {std::move(x)}};
}

TEST(MoreArguments, BindSymbolicDimsToSmallEqualAndUnequalSizes) {
  const TestCase test{parse_text(R"(
@R.function
def main(x: R.Tensor(("n", "m"), "float32"), y: R.Tensor(("n * 2",), "float32")):
    return (x, y)
)")
                          .value(),
                      "main",
                      {floats({2, 5}, 1.5), floats({4}, 1.5)}};
  std::vector<std::vector<std::int64_t>> shapes;
  for (const ArgumentSet& set : usual_sets(test)) {
    if (set.floats == FloatValues::special) continue;
    shapes.push_back(set.arguments.at(0).tensor().shape());
    EXPECT_EQ(set.arguments.at(1).tensor().shape()[0], 2 * shapes.back().at(0));
  }
  EXPECT_EQ(shapes, (std::vector<std::vector<std::int64_t>>{{0, 0}, {1, 1}, {3, 3}, {2, 3}}));
}

TEST(MoreArguments, TakeTheOtherBranch) {
  Tensor condition = zeros(DType::boolean, std::vector<std::int64_t>{});
  const TestCase test{parse_text(R"(
@R.function
def main(c: R.Tensor((), "bool"), x: R.Tensor((2,), "float32")):
    if c:
        y = R.add(x, x)
    else:
        y = R.negative(x)
    return y
)")
                          .value(),
                      "main",
                      {make_tensor(std::move(condition)), floats({2}, 3)}};
  const std::vector<ArgumentSet> sets = more_arguments(test);
  EXPECT_TRUE(std::any_of(sets.begin(), sets.end(),
                          [](const ArgumentSet& set) { return as_int(set.arguments.at(0).tensor(), 0) == 1; }));
}

TEST(MoreArguments, HoldFullMantissasAndSpecialValues) {
  const TestCase test = unary_case(R"(R.Tensor((16,), "float32"))", "R.add(x, x)", floats({16}, 3));
  const std::vector<ArgumentSet> sets = usual_sets(test);
  ASSERT_EQ(sets.size(), 2U);
  const Tensor& full = sets[0].arguments.at(0).tensor();
  EXPECT_NE(round_to(DType::float16, as_double(full, 0)), as_double(full, 0));
  const Tensor& special = sets[1].arguments.at(0).tensor();
  int nans = 0;
  for (std::size_t i = 0; i < 16; i += 2) nans += std::isnan(as_double(special, i)) ? 1 : 0;
  EXPECT_EQ(nans, 1) << "each special value once";
  EXPECT_EQ(as_double(special, 1), 3) << "ordinary numbers stand beside special ones";
}

TEST(MoreArguments, HoldLargeFloatsForSomeModules) {
  int modules = 0;
  for (int size = 2; size < 34; ++size) {
    const TestCase test = unary_case("R.Tensor((" + std::to_string(size) + R"(,), "float32"))", "R.exp(x)", floats({size}, -3));
    for (const ArgumentSet& set : more_arguments(test)) {
      if (set.floats != FloatValues::large) continue;
      ++modules;
      EXPECT_LT(as_double(set.arguments.at(0).tensor(), 0), -100);
      EXPECT_GE(as_double(set.arguments.at(0).tensor(), 0), -200);
    }
  }
  EXPECT_GT(modules, 2);
  EXPECT_LT(modules, 16);
}

TEST(MoreArguments, HoldIntegersThatNarrowerDTypesCannot) {
  const TestCase test = unary_case(R"(R.Tensor((8,), "int32"))", "R.add(x, x)", make_tensor(zeros(DType::int32, std::vector<std::int64_t>{8})));
  const std::vector<ArgumentSet> sets = usual_sets(test);
  ASSERT_EQ(sets.size(), 2U);
  const Tensor& wide = sets[0].arguments.at(0).tensor();
  for (std::size_t i = 0; i < 8; ++i) EXPECT_LT(std::abs(as_int(wide, i)), 1 << 16);
  EXPECT_GT(std::abs(as_int(wide, 0)), 1 << 8);
  EXPECT_LT(as_int(wide, 1), 0);
  const Tensor& extreme = sets[1].arguments.at(0).tensor();
  EXPECT_EQ(as_int(extreme, 0), std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ(as_int(extreme, 1), 0) << "ordinary numbers stand beside extreme ones";
  EXPECT_EQ(as_int(extreme, 2), std::numeric_limits<std::int32_t>::max());
}

TEST(MoreArguments, AreNotMadeForBoolsWithoutBranches) {
  const TestCase test = unary_case(R"(R.Tensor((2,), "bool"))", "R.logical_not(x)", make_tensor(zeros(DType::boolean, std::vector<std::int64_t>{2})));
  EXPECT_TRUE(more_arguments(test).empty());
}

}  // namespace
}  // namespace passdiff
