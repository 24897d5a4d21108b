#include "core/ir/dim.h"

#include <gtest/gtest.h>

#include <limits>

namespace passdiff {
namespace {

const SymVar kN = make_sym_var("n");
const SymVar kM = make_sym_var("m");
const Dim n(kN);
const Dim m(kM);

Dim floor_div(const Dim& a, const Dim& b) {
  return Dim::binary(DimOp::floor_divide, a, b);
}
Dim floor_mod(const Dim& a, const Dim& b) {
  return Dim::binary(DimOp::floor_mod, a, b);
}

TEST(Dim, FoldsStaticArithmeticTowardsMinusInfinity) {
  EXPECT_EQ(floor_div(-7, 2).value(), -4);
  EXPECT_EQ(floor_mod(-7, 2).value(), 1);
  EXPECT_EQ(floor_div(7, -2).value(), -4);
  EXPECT_EQ(floor_mod(7, -2).value(), -1);
}

TEST(Dim, DoesNotFoldWhatHasNoValue) {
  const std::int64_t max = std::numeric_limits<std::int64_t>::max();
  const std::int64_t min = std::numeric_limits<std::int64_t>::min();
  for (const Dim& dim : {floor_div(1, 0), floor_mod(1, 0), floor_div(min, -1), Dim(max) + Dim(1),
                         Dim(min) - Dim(1), Dim(max) * Dim(2)}) {
    EXPECT_FALSE(dim.is_static());
    EXPECT_EQ(evaluate(dim, [](const SymVar&) { return std::nullopt; }), std::nullopt);
  }
}

TEST(ProvenEqual, SeesThroughSumsAndProducts) {
  EXPECT_TRUE(proven_equal(n * 2 + 1, Dim(1) + n + n));
  EXPECT_TRUE(proven_equal((n + m) * (n - m), n * n - m * m));
  EXPECT_TRUE(proven_equal(n - n + 3, 3));
  EXPECT_TRUE(proven_equal((n + 1) * (m + 2), m + n * m + 2 + n * 2));
  EXPECT_FALSE(proven_equal(n, m));
  EXPECT_FALSE(proven_equal(n, Dim(make_sym_var("n"))));
  EXPECT_FALSE(proven_equal(n * m, n + m));
}

TEST(ProvenEqual, TakesOtherOperatorsAsEqualOnlyIfBuiltAlike) {
  EXPECT_TRUE(proven_equal(floor_div(n + 1, 2) * 2, floor_div(Dim(1) + n, 2) + floor_div(n + 1, 2)));
  EXPECT_FALSE(proven_equal(floor_div(n, 2), floor_div(n, 3)));
  EXPECT_FALSE(proven_equal(floor_div(n, 2), floor_mod(n, 2)));
}

TEST(ProvenEqual, GivesUpOnDimsThatGrowExponentially) {
  Dim sum = n;
  for (int i = 0; i < 100; ++i) sum = sum + sum;
  EXPECT_FALSE(proven_equal(sum, sum + 1));
  Dim product = n + m;
  for (int i = 0; i < 100; ++i) product = product * (n + m);
  EXPECT_FALSE(proven_equal(product, product + 1));
}

TEST(ProvenDifferent, NeedsAConstantDifference) {
  EXPECT_TRUE(proven_different(n + 1, n));
  EXPECT_TRUE(proven_different(2, 3));
  EXPECT_FALSE(proven_different(n, 3));
  EXPECT_FALSE(proven_different(n, m));
  EXPECT_FALSE(proven_different(n, n));
}

TEST(Dim, EvaluatesAndSubstitutes) {
  const Dim dim = floor_div(n * 3 + m, 2);
  const auto lookup = [](const SymVar& var) -> std::optional<std::int64_t> { return var == kN ? 5 : 2; };
  EXPECT_EQ(evaluate(dim, lookup), 8);
  EXPECT_EQ(
      evaluate(dim,
               [](const SymVar& var) { return var == kN ? std::optional<std::int64_t>(5) : std::nullopt; }),
      std::nullopt);
  const Dim replaced =
      substitute(dim, [](const SymVar& var) { return var == kM ? std::optional<Dim>(1) : std::nullopt; });
  EXPECT_EQ(to_string(replaced), "(n * 3 + 1) // 2");
}

TEST(Dim, PrintsAsPythonWithTheParenthesesItNeeds) {
  EXPECT_EQ(to_string(n - (m - 1)), "n - (m - 1)");
  EXPECT_EQ(to_string(n - m - 1), "n - m - 1");
  EXPECT_EQ(to_string((n + 1) * (m + -2)), "(n + 1) * (m + (-2))");
  EXPECT_EQ(to_string(Dim::binary(DimOp::minimum, n + 1, m) * 2), "T.min(n + 1, m) * 2");
}

}  // namespace
}  // namespace passdiff
