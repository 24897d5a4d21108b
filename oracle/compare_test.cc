#include "oracle/compare.h"

#include <cmath>
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

#include "core/eval/callable.h"
#include "core/tensor/tensor.h"
#include "core/text/text.h"

namespace passdiff {
namespace {

Value tensor(DType dtype, std::vector<double> values) {
  Tensor t = zeros(dtype, std::vector<std::int64_t>{static_cast<std::int64_t>(values.size())});
  std::visit(
      [&](auto& array) {
        using Element = typename std::decay_t<decltype(array)>::value_type;
        for (std::size_t i = 0; i < values.size(); ++i) array.data()[i] = static_cast<Element>(values[i]);
      },
      t.values);
  return make_tensor(std::move(t));
}

// Reruns a side whose value does not depend on rounding.
Rerun fixed(const Value& value) {
  return [value](const Rounding&) -> Outcome { return Returned{value, {}}; };
}
// The sum of `terms` in order, where each partial sum is rounded.
Value rounded_sum(const std::vector<double>& terms, Rounding rounding) {
  double sum = 0;
  for (double term : terms) sum = round_float(DType::float32, sum + term, rounding);
  return tensor(DType::float32, {sum});
}
Rerun summing(std::vector<double> terms) {
  return [terms](const Rounding& rounding) -> Outcome { return Returned{rounded_sum(terms, rounding), {}}; };
}

Symptom compare_fixed(const Value& a, const Value& b) {
  return compare_values(a, b, {}, fixed(a), fixed(b)).symptom;
}

Symptom compare_reassociated(const Value& a, const Value& b) {
  return compare_values(a, b, {Numerics::reassociated}, fixed(a), fixed(b)).symptom;
}

TEST(CompareValues, EqualBitsAgreeAndNanEqualsNan) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(compare_fixed(tensor(DType::float32, {1, nan}), tensor(DType::float32, {1, nan})),
            Symptom::agree);
}

TEST(CompareValues, IntegersMustBeEqual) {
  EXPECT_EQ(compare_fixed(tensor(DType::int32, {1, 2}), tensor(DType::int32, {1, 3})), Symptom::mismatch);
}

TEST(CompareValues, WhatAnApproximationMakesOfAStepIsNoMismatch) {
  for (const DType dtype : {DType::float32, DType::float16, DType::float64}) {
    const Value one = tensor(dtype, {1});
    const Value zero = tensor(dtype, {0});
    const Rerun truncated = [dtype](const Rounding& given) -> Outcome {
      Rounding rounding = given;
      return Returned{tensor(dtype, {std::trunc(round_float(dtype, 0.9985, rounding))}), {}};
    };
    const auto loosely = [&](const Rerun& rerun) { return compare_values(one, zero, {Numerics::approximate}, fixed(one), rerun).symptom; };
    EXPECT_EQ(loosely(truncated), Symptom::inconclusive) << dtype_name(dtype);
    EXPECT_EQ(loosely(fixed(zero)), Symptom::mismatch) << dtype_name(dtype);
  }
}

TEST(CompareValues, AnotherDtypeIsToldFromAnotherShape) {
  const Value one = tensor(DType::float32, {1});
  const auto site = [&](const Value& other) { return site_of(compare_values(one, other, {}, fixed(one), fixed(other))); };
  EXPECT_EQ(site(tensor(DType::float16, {1})), "form.wrong-type");
  EXPECT_EQ(site(tensor(DType::float32, {1, 1})), "");
  EXPECT_EQ(site(tensor(DType::float32, {2})), "");
}

TEST(CompareValues, AnotherDtypeOrShapeIsAMismatch) {
  EXPECT_EQ(compare_fixed(tensor(DType::float32, {1}), tensor(DType::float16, {1})), Symptom::mismatch);
  EXPECT_EQ(compare_fixed(tensor(DType::float32, {1}), tensor(DType::float32, {1, 1})), Symptom::mismatch);
}

TEST(CompareValues, ANumberThatIsNoTensorHasAKindButNoWidth) {
  const Value one = ScalarValue{DType::int64, std::int64_t{1}};
  EXPECT_EQ(compare_fixed(ScalarValue{DType::uint64, std::int64_t{1}}, one), Symptom::agree);
  EXPECT_EQ(compare_fixed(ScalarValue{DType::uint64, std::int64_t{2}}, one), Symptom::mismatch);
  EXPECT_EQ(compare_fixed(ScalarValue{DType::boolean, std::int64_t{1}}, one), Symptom::mismatch);
  EXPECT_EQ(compare_fixed(ScalarValue{DType::float64, 1.0}, one), Symptom::mismatch);
}

TEST(CompareValues, FunctionsCannotBeComparedButWhatStandsBesideThemCan) {
  const auto function = [] {
    return host_function([](std::span<const Value>) -> Outcome { return Returned(); });
  };
  const auto pair = [&](double element) { return TupleValue{{tensor(DType::int32, {element}), function()}}; };
  EXPECT_EQ(compare_fixed(function(), function()), Symptom::inconclusive);
  EXPECT_EQ(compare_fixed(pair(1), pair(1)), Symptom::inconclusive);
  EXPECT_EQ(compare_fixed(pair(1), pair(2)), Symptom::mismatch);
  EXPECT_EQ(compare_fixed(pair(1), function()), Symptom::mismatch);
  const Value same = pair(1);
  EXPECT_EQ(compare_fixed(same, same), Symptom::agree);
  EXPECT_TRUE(roughly_equal(pair(1), pair(1)));
}

TEST(CompareValues, ADeterminedDifferenceIsAMismatch) {
  EXPECT_EQ(compare_fixed(tensor(DType::float32, {1, 2}), tensor(DType::float32, {1, 2.1})), Symptom::mismatch);
}

TEST(CompareValues, ADifferenceInTheLaterDigitsIsLostPrecision) {
  EXPECT_EQ(compare_reassociated(tensor(DType::float32, {1, 2}), tensor(DType::float32, {1, 2.001})),
            Symptom::less_precise);
  EXPECT_EQ(compare_reassociated(tensor(DType::float32, {1, 2}), tensor(DType::float32, {1, 2 + 0x1p-21})),
            Symptom::agree)
      << "two units in the last place";
}

TEST(CompareValues, ExactPassesMustReturnEqualBits) {
  const Value a = tensor(DType::float32, {1, 2});
  const Value b = tensor(DType::float32, {1, 2 + 0x1p-22});
  EXPECT_EQ(compare_fixed(a, b), Symptom::mismatch);
  EXPECT_EQ(compare_reassociated(a, b), Symptom::agree);
  EXPECT_EQ(compare_fixed(tensor(DType::float32, {0.0}), tensor(DType::float32, {-0.0})), Symptom::mismatch);
}

TEST(CompareValues, AnOverflowOfTheTargetAloneIsAMismatch) {
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(compare_reassociated(tensor(DType::float16, {160}), tensor(DType::float16, {inf})), Symptom::mismatch);
  EXPECT_EQ(compare_reassociated(tensor(DType::float16, {65500}), tensor(DType::float16, {inf})), Symptom::inconclusive)
      << "the source is on the verge of overflow itself";
}

// How often a target runs that returns `element` where the source returns 1, and a run of each side does so much work.
int runs_of(std::int64_t work, double element = 2, Symptom expected = Symptom::mismatch) {
  const Value source = tensor(DType::float32, {1});
  const Value target = tensor(DType::float32, {element});
  int runs = 0;
  const Rerun rerun_source = [&](const Rounding&) -> Outcome { return Returned{.value = source, .overflows = {}, .work = work}; };
  const Rerun rerun_target = [&](const Rounding&) -> Outcome {
    ++runs;
    return Returned{.value = target, .overflows = {}, .work = work};
  };
  EXPECT_EQ(compare_values(source, target, {Numerics::reassociated}, rerun_source, rerun_target).symptom, expected);
  return runs;
}

TEST(CompareValues, WhatTwoRunsExcuseIsNotSampledAgain) {
  const double unit = 0x1p-23;
  EXPECT_EQ(runs_of(0, 1 + 4 * unit, Symptom::agree), 1 + 2);
}

TEST(CompareValues, RunsThatTakeLongAreRepeatedLessOften) {
  const std::int64_t costly = std::int64_t{1} << 28;
  EXPECT_EQ(runs_of(0), 1 + 12 + 52);
  EXPECT_EQ(runs_of(costly / 2), 1 + 12 + 52) << "both sides together count";
  EXPECT_EQ(runs_of(costly / 2 + 1), 1 + 2 + 4);
}

// A product of a third and two numbers, in the precision of `dtype` with the result as float32.
Outcome product_in(DType dtype, const Rounding& given) {
  Rounding rounding = given;
  const double third = round_float(DType::float32, 1.0 / 3, rounding);
  Rounding nearest = given;
  nearest.mode = RoundingMode::faithful;
  const double narrow = round_float(dtype, round_float(dtype, third * 5, rounding), nearest);
  return Returned{tensor(DType::float32, {round_float(DType::float32, narrow * 7, rounding)}), {}};
}

TEST(CompareValues, RoundingsOfTheTargetInNarrowerPrecisionExcuseNothing) {
  const Module source = parse_text(R"(
@R.function
def main(x: R.Tensor((1,), "float32")):
    y = R.add(x, x)
    return y
)")
                            .value();
  const OutputPrecision precision(source, "main");
  const Rerun wide = [](const Rounding& rounding) { return product_in(DType::float32, rounding); };
  const Rerun narrow = [](const Rounding& rounding) { return product_in(DType::float16, rounding); };
  const Value a = std::get<Returned>(wide({})).value;
  const Value b = std::get<Returned>(narrow({})).value;
  EXPECT_EQ(compare_values(a, b, {Numerics::reassociated, &precision}, wide, narrow).symptom, Symptom::less_precise);
  EXPECT_EQ(compare_values(a, a, {Numerics::reassociated, &precision}, wide, wide).symptom, Symptom::agree);
}

TEST(CompareValues, AnAvoidedOverflowIsAMismatch) {
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(compare_fixed(tensor(DType::float16, {inf}), tensor(DType::float16, {160})), Symptom::mismatch);
}

TEST(CompareValues, ReassociatedSumsAgree) {
  const std::vector<double> terms = {0.1f, 0.2f, 0.7f, 0.3f};
  const std::vector<double> reversed = {0.3f, 0.7f, 0.2f, 0.1f};
  const Value a = rounded_sum(terms, {});
  const Value b = rounded_sum(reversed, {});
  EXPECT_EQ(compare_values(a, b, {Numerics::reassociated}, summing(terms), summing(reversed)).symptom,
            Symptom::agree);
}

TEST(CompareValues, CancellationLeavesNothingToCompare) {
  // In 1e8 + 1.25 - 1e8 float32 keeps no digit of the 1.25.
  const std::vector<double> terms = {1e8, 1.25, -1e8};
  const std::vector<double> reordered = {1e8, -1e8, 1.25};
  const Value a = rounded_sum(terms, {});
  const Value b = rounded_sum(reordered, {});
  EXPECT_NE(compare_values(a, b, {Numerics::reassociated}, summing(terms), summing(reordered)).symptom,
            Symptom::mismatch);
}

// Both cases were found by a million random products of sums.
TEST(CompareValues, ANumberThatNoDoubleHoldsBesideTheOthersMayBeLost) {
  for (const double small : {0x1p-127, 0x1.6p-122}) {
    const std::vector<double> terms = {-2, 2, -small};
    const std::vector<double> reordered = {-2, -small, 2};
    const Value a = rounded_sum(terms, {}), b = rounded_sum(reordered, {});
    EXPECT_EQ(compare_values(a, b, {Numerics::reassociated}, summing(terms), summing(reordered)).symptom, Symptom::agree);
  }
  EXPECT_EQ(compare_reassociated(tensor(DType::float32, {0x1p-100}), tensor(DType::float32, {0})), Symptom::mismatch);
}

TEST(CompareValues, AComparisonThatNoRoundingSettlesOtherwiseHangsOnRoundingAllTheSame) {
  const double c = 1.5535482f;
  // c * (3.5 - 2.5) == c, and c * 3.5 - c * 2.5 == c: the products are rounded to multiples of four, and of two, units of c's last place.
  const auto equal = [c](bool expanded) -> Rerun {
    return [c, expanded](const Rounding& given) -> Outcome {
      Rounding rounding = given;
      const double difference = expanded ? round_float(DType::float32, c * 3.5, rounding) - round_float(DType::float32, c * 2.5, rounding) : c;
      return Returned{tensor(DType::boolean, {difference == c ? 1.0 : 0.0}), {}};
    };
  };
  const Value yes = tensor(DType::boolean, {1}), no = tensor(DType::boolean, {0});
  EXPECT_EQ(compare_values(yes, no, {Numerics::reassociated}, equal(false), equal(true)).symptom, Symptom::inconclusive);
}

TEST(CompareValues, AnUnstableDecisionIsInconclusive) {
  // The floor of a value that rounding moves across an integer.
  const auto floor_of = [](double offset) -> Rerun {
    return [offset](const Rounding& given) -> Outcome {
      Rounding rounding = given;
      const double third = round_float(DType::float32, 1.0 / 3, rounding);
      return Returned{
          tensor(DType::float32, {std::floor(round_float(DType::float32, third * 3 + offset, rounding))}),
          {}};
    };
  };
  const Value zero = tensor(DType::float32, {0});
  const Value one = tensor(DType::float32, {1});
  EXPECT_EQ(compare_values(one, zero, {Numerics::reassociated}, floor_of(0), floor_of(-1e-9)).symptom, Symptom::inconclusive);
}

// R.unique keeps one of equal values, which a floor makes of values on either side of an integer.
TEST(CompareValues, ASizeThatHangsOnRoundingIsInconclusive) {
  const auto unique_of = [](double offset) -> Rerun {
    return [offset](const Rounding& given) -> Outcome {
      Rounding rounding = given;
      const double third = round_float(DType::float32, 1.0 / 3, rounding);
      const double whole = std::floor(round_float(DType::float32, third * 3 + offset, rounding));
      return Returned{whole == 0 ? tensor(DType::float32, {0}) : tensor(DType::float32, {0, whole}), {}};
    };
  };
  const Value one = tensor(DType::float32, {0});
  const Value two = tensor(DType::float32, {0, 1});
  EXPECT_EQ(compare_values(two, one, {Numerics::reassociated}, unique_of(0), unique_of(-1e-9)).symptom, Symptom::inconclusive);
  EXPECT_EQ(compare_values(two, one, {Numerics::exact}, unique_of(0), unique_of(-1e-9)).symptom, Symptom::mismatch);
  EXPECT_EQ(compare_reassociated(two, one), Symptom::mismatch) << "the source returns two, however it rounds";
}

// A target that computes in float16 by design rounds where the source in float32 would not.
TEST(CompareValues, ASizeMayHangOnTheRoundingOfALowerPrecision) {
  const Rerun unique_of_quotient = [](const Rounding& given) -> Outcome {
    Rounding rounding = given;
    const double quotient = round_float(DType::float32, 8.9997, rounding);
    return Returned{quotient < 9 ? tensor(DType::float32, {8}) : tensor(DType::float32, {8, 9}), {}};
  };
  const Value one = tensor(DType::float32, {8}), two = tensor(DType::float32, {8, 9});
  const auto symptom = [&](Numerics numerics) { return compare_values(one, two, {numerics}, unique_of_quotient, fixed(two)).symptom; };
  EXPECT_EQ(symptom(Numerics::lowered), Symptom::inconclusive);
  EXPECT_EQ(symptom(Numerics::reassociated), Symptom::mismatch);
}

TEST(CompareValues, LoweringByDesignIsHeldToTheDigitsOfFloat16) {
  const Value a = tensor(DType::float32, {1, 2});
  const auto lowered = [&](const Value& b) {
    return compare_values(a, b, {Numerics::lowered}, fixed(a), fixed(b)).symptom;
  };
  EXPECT_EQ(lowered(tensor(DType::float32, {1.003, 2})), Symptom::agree);
  EXPECT_EQ(lowered(tensor(DType::float32, {1.015, 2})), Symptom::less_precise);
  EXPECT_EQ(lowered(tensor(DType::float32, {3, 2})), Symptom::mismatch);
  EXPECT_EQ(lowered(tensor(DType::float16, {1, 2})), Symptom::mismatch) << "outputs keep their dtypes";
}

// Made twice, such a pass may narrow what it left as float32 the first time, where an integer is made of it: 2231 is no float16.
TEST(CompareValues, AnIntegerMayHangOnACastThatALoweringPassMakes) {
  const Value whole = tensor(DType::int32, {2231});
  const Value rounded = tensor(DType::int32, {2232});
  const Rerun narrowed = [&](const Rounding& rounding) -> Outcome { return Returned{rounding.least == DType::float32 ? whole : rounded, {}}; };
  const auto symptom = [&](Numerics numerics) { return compare_values(whole, rounded, {numerics}, fixed(whole), narrowed).symptom; };
  EXPECT_EQ(symptom(Numerics::lowered), Symptom::inconclusive);
  EXPECT_EQ(symptom(Numerics::reassociated), Symptom::mismatch);
}

// The source rounds to bfloat16 on the way, and the target, which keeps float32, does not.
TEST(CompareValues, WideningByDesignMayLeaveRoundingsToNarrowFloatsOut) {
  const Rerun source = [](Rounding rounding) -> Outcome {
    return Returned{tensor(DType::float32, {round_float(DType::bfloat16, 2.768237, rounding)}), {}};
  };
  const Value rounded = tensor(DType::float32, {2.765625});
  const auto judged = [&](double target, Numerics numerics) {
    const Value value = tensor(DType::float32, {target});
    return compare_values(rounded, value, {numerics}, [&](const Rounding& rounding) {
      return rounding.mode == RoundingMode::wide || is_stochastic(rounding) ? Outcome(Returned{rounded, {}}) : source(rounding);
    }, fixed(value)).symptom;
  };
  EXPECT_EQ(judged(2.768237, Numerics::widened), Symptom::agree);
  EXPECT_NE(judged(2.768237, Numerics::exact), Symptom::agree);
  EXPECT_EQ(judged(2.9, Numerics::widened), Symptom::mismatch);
}

// Whether a float is what it is in bfloat16: no rounding to bfloat16 says so, and without one it is.
TEST(CompareValues, WideningByDesignMayDecideABoolOtherwise) {
  const Value differs = tensor(DType::boolean, {1}), same = tensor(DType::boolean, {0});
  const Rerun source = [&](const Rounding& rounding) -> Outcome {
    return Returned{rounding.least == DType::float32 ? same : differs, {}};
  };
  const auto judged = [&](Numerics numerics) { return compare_values(differs, same, {numerics}, source, fixed(same)).symptom; };
  EXPECT_EQ(judged(Numerics::widened), Symptom::inconclusive);
  EXPECT_EQ(judged(Numerics::reassociated), Symptom::mismatch);
}

}  // namespace
}  // namespace passdiff
