#include "oracle/element.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/tensor/rounding.h"

namespace passdiff {
namespace {

// A mismatch needs a gap of this many times the spreads of both sides together.
constexpr double kGapFactor = 4;
// Below this share of the tensor's magnitude a difference is one of precision: no float of 16 bits makes a larger one in a single
// rounding.
constexpr double kCoarsest = 1.0 / 128;

// How many of the leading bits of `value` an uncertainty of `width` leaves.
int determined_bits(DType dtype, double value, double width) {
  const int all = row_of(dtype).mantissa + 1;
  if (width == 0) return all;
  if (value == 0) return 0;
  return std::clamp(static_cast<int>(std::floor(std::log2(std::fabs(value) / width))), 0, all);
}

// What a sum loses of a number that is so small beside the others that even double arithmetic, in which it is computed here, does not see it:
// the product of one of the smallest normal numbers, of which the arguments have some, and of others. Those of float16 and narrower dtypes are no
// smaller than others.
double unseen(DType dtype) {
  constexpr double kOthers = 0x1p20;
  if (dtype == DType::float64) return kOthers * 0x1p-1022;
  return dtype == DType::float32 || dtype == DType::bfloat16 ? kOthers * 0x1p-126 : 0;
}

ElementJudgement of_integers(double gap, double spread) {
  if (spread == 0)
    return gap == 0 ? ElementJudgement{} : ElementJudgement{Symptom::mismatch, {"no rounding changes the integer on either side"}};
  return {Symptom::inconclusive, {"the integer changes from run to run under random rounding: it hangs on a decision near a tie"}};
}

// Of elements of which one is not finite where the other is, or that are otherwise.
ElementJudgement of_classes(const Element& e) {
  const Spread& s = e.source_spread;
  if (s.unstable || *s.kind != NumberClass::finite)
    return {Symptom::inconclusive, {"rounding decides whether the source is finite"}};
  const double slack = kLostDigits * std::max({s.width(), e.strict_width, ulp(e.dtype, e.wide)});
  if (std::fabs(e.wide) + slack >= largest_finite(e.dtype))
    return {Symptom::inconclusive, {"the source is on the verge of overflow"}};
  return {Symptom::mismatch, {"the source is finite under every rounding; the target is not"}};
}

ElementJudgement of_floats(const Element& e, double gap, double spread) {
  const double unit = ulp(e.dtype, e.wide);
  const double error = std::fabs(e.target - e.wide);
  const double explained = std::max({e.source_spread.width(), e.strict_width, unit});
  const double allowed = std::max({kLostDigits * explained, kWideTolerance * e.scale, unseen(e.dtype)});
  const double apart = kGapFactor * spread + 8 * ulp(e.dtype, e.scale) + unseen(e.dtype);
  std::vector<std::string> reasons = {
      fmt::format("in wide arithmetic the source is {}; it is off by {:.3g}, the target by {:.3g}", e.wide,
                  std::fabs(e.source - e.wide), error),
      fmt::format("random rounding leaves the source {} of {} bits, and moves it by {:.3g}, the target by {:.3g}",
                  determined_bits(e.dtype, e.wide, e.source_spread.width()), row_of(e.dtype).mantissa + 1,
                  e.source_spread.width(), e.target_spread.width()),
      fmt::format("allowed is an error of {:.3g} (eight times what roundings in the source's precision explain), or, between "
                  "the runs of both sides, a gap of {:.3g}, where {:.3g} is found",
                  allowed, apart, std::max(gap, 0.0))};
  if (error > allowed || gap > apart) {
    const bool coarse = std::fabs(e.target - e.source) > kCoarsest * e.scale;
    return {coarse ? Symptom::mismatch : Symptom::less_precise, std::move(reasons)};
  }
  // Spreads that overlap agree if they are narrow.
  if (spread <= 0.01 * e.scale + 64 * ulp(e.dtype, e.scale)) return {};
  reasons.push_back("that is more than a hundredth of the tensor's magnitude, so that nothing can be said");
  return {Symptom::inconclusive, std::move(reasons)};
}

}  // namespace

ElementJudgement judge_element(const Element& e) {
  const Spread& s = e.source_spread;
  const Spread& t = e.target_spread;
  const bool is_finite = class_of(e.target) == NumberClass::finite;
  if (s.unstable) return {Symptom::inconclusive, {"rounding decides whether the source is finite"}};
  if (!is_finite && *s.kind == NumberClass::finite) return of_classes(e);
  if (t.unstable) return {Symptom::inconclusive, {"rounding decides whether the target is finite"}};
  if (*s.kind != *t.kind)
    return {Symptom::mismatch, {"one side is not finite, or not so, under every rounding; the other is"}};
  if (*s.kind != NumberClass::finite) return {};
  const double gap = std::max({s.low - t.high, t.low - s.high, 0.0});
  const double spread = s.width() + t.width();
  if (!is_float(e.dtype)) return of_integers(gap, spread);
  if (e.source == e.target && gap == 0) return {};
  return of_floats(e, gap, spread);
}

}  // namespace passdiff
