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

TEST(Roi, ACornerThatIsNotFiniteHasNoPixel) {
  const AttrValue pooled = std::vector<std::int64_t>{1, 1};
  const Attrs pool{pooled, 1.0, std::string("NCHW")};
  const Attrs align{pooled, 2.0, std::int64_t{-1}, false, std::string("NCHW"), std::string("avg")};
  EXPECT_EQ(rules_of("relax.vision.roi_pool", pool, 0), Rules{});
  EXPECT_EQ(rules_of("relax.vision.roi_align", align, 0), Rules{});
  const Rules unfit{UndefinedRule::index_out_of_bounds};
  EXPECT_EQ(rules_of("relax.vision.roi_pool", pool, NAN), unfit);
  EXPECT_EQ(rules_of("relax.vision.roi_align", align, NAN), unfit);
  EXPECT_EQ(rules_of("relax.vision.roi_align", align, INFINITY), unfit);
  EXPECT_EQ(rules_of("relax.vision.roi_align", align, -3e38), Rules{}) << "it overflows to no number of samples";
}

}  // namespace
}  // namespace passdiff
