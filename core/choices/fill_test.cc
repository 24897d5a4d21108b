#include <gtest/gtest.h>

#include <cmath>

#include "core/choices/choices.h"
#include "core/choices/fill.h"
#include "core/ops/test_values.h"

namespace passdiff {
namespace {

TEST(FilledTensor, FitsItsOwnSpecInEveryDtype) {
  for (const Fill fill : {Fill::small, Fill::nonzero, Fill::positive, Fill::indices, Fill::booleans}) {
    for (const DType dtype : all_dtypes()) {
      if (fill == Fill::indices && (is_float(dtype) || dtype == DType::boolean)) continue;
      const FillSpec spec{.fill = fill, .limit = 5, .allow_negative = !is_unsigned_int(dtype)};
      for (std::uint8_t byte = 0; byte < 50; ++byte) {
        Choices choices({&byte, 1});
        EXPECT_TRUE(fits(filled_tensor(choices, dtype, {{3, 4}}, spec), spec)) << dtype_name(dtype);
      }
    }
  }
}

TEST(FilledTensor, DiffersBetweenElementsEvenWithoutBytes) {
  Choices choices({});
  const Tensor tensor = filled_tensor(choices, DType::float32, {{8}}, {});
  const std::vector<double> all = elements(tensor_value(tensor));
  EXPECT_NE(std::count(all.begin(), all.end(), all[0]), 8);
}

TEST(FilledTensor, HasFullMantissasForOneSeedInFour) {
  int narrow = 0;
  for (std::uint8_t byte = 0; byte < 40; ++byte) {
    Choices choices({&byte, 1});
    const std::vector<double> all = elements(tensor_value(filled_tensor(choices, DType::float32, {{16}}, {})));
    narrow += std::all_of(all.begin(), all.end(), [](double v) { return round_to(DType::float16, v) == v; });
  }
  EXPECT_EQ(narrow, 30);
}

TEST(Fits, RefusesNaNInfinityAndLargeNumbers) {
  for (const double value : {double(NAN), double(INFINITY), 1e6}) {
    EXPECT_FALSE(fits(floats(DType::float32, {2}, {1, value}), {}));
  }
  EXPECT_FALSE(fits(floats(DType::float32, {1}, {0}), {.fill = Fill::nonzero}));
  EXPECT_FALSE(fits(floats(DType::float32, {1}, {-1}), {.fill = Fill::positive}));
  EXPECT_FALSE(fits(floats(DType::float32, {1}, {9}), {.magnitude = 8}));
  EXPECT_FALSE(fits(ints(DType::int8, {1}, {-128}), {}));
}

TEST(Fits, BoundsIndicesOnBothSides) {
  const Tensor indices = ints(DType::int64, {2}, {-3, 2});
  EXPECT_TRUE(fits(indices, {.fill = Fill::indices, .limit = 3}));
  EXPECT_FALSE(fits(indices, {.fill = Fill::indices, .limit = 2}));
  EXPECT_FALSE(fits(indices, {.fill = Fill::indices, .limit = 3, .allow_negative = false}));
}

}  // namespace
}  // namespace passdiff
