#include "oracle/precision.h"

#include <gtest/gtest.h>

#include "core/text/text.h"

namespace passdiff {
namespace {

OutputPrecision precision_of(const std::string& bindings) {
  std::string text =
      "@I.ir_module\nclass Module:\n    @R.function\n"
      "    def main(x: R.Tensor((2, 2), \"float32\"), h: R.Tensor((2, 2), \"float16\")):\n";
  return OutputPrecision(parse_text(text + bindings).value(), "main");
}

TEST(OutputPrecision, IsThatOfTheNarrowestResultOnTheWayToEachOutput) {
  const OutputPrecision precision = precision_of(R"(
        wide = R.add(x, x)
        half = R.astype(wide, "float16")
        back = R.astype(half, "float32")
        out = (wide, back)
        return out
)");
  EXPECT_EQ(precision.at({0}), DType::float32);
  EXPECT_EQ(precision.at({1}), DType::float16);
  EXPECT_EQ(precision.at({}), DType::float16);
}

TEST(OutputPrecision, DoesNotCountWhatIsNotRounded) {
  const OutputPrecision precision = precision_of(R"(
        product = R.matmul(h, h, out_dtype="float32")
        position = R.argmax(x, axis=0)
        return (product, h, position)
)");
  EXPECT_EQ(precision.at({0}), DType::float32) << "operands are no results";
  EXPECT_EQ(precision.at({1}), std::nullopt);
  EXPECT_EQ(precision.at({2}), std::nullopt);
}

}  // namespace
}  // namespace passdiff
