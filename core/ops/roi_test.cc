#include <gtest/gtest.h>

#include <cmath>

#include "core/ops/test_values.h"

namespace passdiff {
namespace {

using Rules = std::vector<UndefinedRule>;

std::vector<UndefinedRule> rules_of(const std::string& op, const Attrs& attrs, double corner) {
  const Value image = tensor_value(floats(DType::float32, {1, 1, 2, 2}, {1, 2, 3, 4}));
  const Value region = tensor_value(floats(DType::float32, {1, 5}, {0, corner, 0, 1, 1}));
  return evaluated(op, {image, region}, DType::float32, attrs).undefined;
}

TEST(Roi, ACornerThatIsNotANumberHasNoPixel) {
  const AttrValue pooled = std::vector<std::int64_t>{1, 1};
  const Attrs pool{pooled, 1.0, std::string("NCHW")};
  const Attrs align{pooled, 1.0, std::int64_t{-1}, false, std::string("NCHW"), std::string("avg")};
  EXPECT_EQ(rules_of("relax.vision.roi_pool", pool, 0), Rules{});
  EXPECT_EQ(rules_of("relax.vision.roi_align", align, 0), Rules{});
  EXPECT_EQ(rules_of("relax.vision.roi_pool", pool, NAN).at(0), UndefinedRule::float_to_int);
  EXPECT_EQ(rules_of("relax.vision.roi_align", align, NAN).at(0), UndefinedRule::float_to_int);
}

}  // namespace
}  // namespace passdiff
