#include "oracle/compare.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "core/form/well_formed.h"
#include "oracle/element.h"

namespace passdiff {
namespace {

// Runs of each side under random rounding, in rounds that are made as long as an element looks wrong. More runs widen the spreads, and so excuse
// more: what two of them excuse no further one accuses. An unstable decision (a floor near an integer) that flips half of the time stays unseen
// in one of 2^12 elements after the second round; the third then sees it.
constexpr int kFirstRuns = 2;
constexpr int kSecondRuns = 10;
constexpr int kThirdRuns = 52;
// Runs of both sides that do more than this (Returned::work), which takes about a second, are a real model's, as generated modules take
// milliseconds. Their second round is the last: their results have so many elements that a few runs must show a spread in nearly all.
constexpr std::int64_t kCostlyWork = std::int64_t{1} << 28;
constexpr int kSecondCostlyRuns = 4;

bool close(double a, double b, double tolerance) {
  if (class_of(a) != class_of(b)) return false;
  return class_of(a) != NumberClass::finite || std::abs(a - b) <= tolerance;
}

// Whether the tensors of two leaves are equal bit by bit, the signs of zeros included.
bool identical(const Leaves& leaves) {
  for (std::size_t i = 0; i < leaves.source.size(); ++i) {
    if (!bit_equal(*leaves.source[i].tensor, *leaves.target[i].tensor, true)) return false;
  }
  return true;
}

// A run that ended like the faithful one: its value, and the tensors in it.
struct Run {
  Value value;
  std::vector<Leaf> leaves;
  std::int64_t work = 0;
};
std::optional<Run> run_like(const std::vector<Leaf>& faithful, Outcome&& outcome) {
  auto* returned = std::get_if<Returned>(&outcome);
  if (returned == nullptr) return std::nullopt;
  Run run{std::move(returned->value), {}, returned->work};
  run.leaves = leaves_of(run.value, run.value).source;
  if (run.leaves.size() != faithful.size()) return std::nullopt;
  for (std::size_t i = 0; i < faithful.size(); ++i) {
    if (run.leaves[i].tensor->shape() != faithful[i].tensor->shape()) return std::nullopt;
  }
  return run;
}

// The target, had none of its intermediate results fewer digits than some dtype.
struct StrictTarget {
  std::optional<Run> faithful, wide;  // nothing: it does not end as the target does
  std::optional<Spreads> spreads;
};

Comparison form_hangs_on_rounding() {
  return {Symptom::inconclusive, "the form of the result hangs on rounding", {}};
}

// The source computes in float16 what is float32, if the target may. `rerun` must outlive the result.
Rerun lowered(const ComparisonRules& rules, const Rerun& rerun) {
  if (rules.numerics != Numerics::lowered) return rerun;
  return [&rerun](const Rounding& given) {
    Rounding rounding = given;
    if (given.mode == RoundingMode::stochastic_declared) rounding.float32_as = DType::float16;
    return rerun(rounding);
  };
}

class Comparing {
 public:
  Comparing(const Leaves& leaves, const ComparisonRules& rules, const Rerun& rerun_source, const Rerun& rerun_target)
      : leaves_(leaves),
        rules_(rules),
        rerun_source_(lowered(rules, rerun_source)),
        rerun_target_(rerun_target),
        source_(leaves.source),
        target_(leaves.target) {}

  Comparison run() {
    wide_source_ = run_like(leaves_.source, rerun_source_({.mode = RoundingMode::wide}));
    if (rules_.numerics == Numerics::widened) widened_source_ = run_like(leaves_.source, rerun_source_({.least = DType::float32}));
    if (wide_runs_agree()) return {Symptom::agree, {}, {"both sides compute the same in wide arithmetic"}};
    const bool costly = work_ > kCostlyWork;
    Comparison result;
    int sampled = 0;
    for (const int runs : costly ? std::vector{kFirstRuns, kSecondCostlyRuns} : std::vector{kFirstRuns, kSecondRuns, kThirdRuns}) {
      if (!sample(sampled, runs)) return form_hangs_on_rounding();
      sampled += runs;
      result = judge();
      if (!is_finding(result.symptom)) break;
      if (!strict_) prepare_strict_targets(sampled);
    }
    if (costly) result.reasons.emplace_back("with fewer random runs, since one takes long");
    return result;
  }

 private:
  bool wide_runs_agree() {
    // Where a pass may lower the precision, its casts to narrower floats are its own, and none that the program asks for.
    const std::optional<DType> least = rules_.numerics == Numerics::lowered ? std::optional(DType::float32) : std::nullopt;
    wide_target_ = run_like(leaves_.target, rerun_target_({.mode = RoundingMode::wide, .least = least}));
    work_ = (wide_source_ ? wide_source_->work : 0) + (wide_target_ ? wide_target_->work : 0);
    if (!wide_source_ || !wide_target_) return false;
    for (std::size_t i = 0; i < leaves_.source.size(); ++i) {
      if (!leaf_agrees(i, wide_source_->leaves[i], wide_target_->leaves[i])) return false;
    }
    return true;
  }

  bool leaf_agrees(std::size_t i, const Leaf& wide_source, const Leaf& wide_target) const {
    const Leaf& source = leaves_.source[i];
    const Leaf& target = leaves_.target[i];
    const DType dtype = source.tensor->dtype;
    if (!is_float(dtype))
      return bit_equal(*wide_source.tensor, *wide_target.tensor) && bit_equal(*source.tensor, *target.tensor);
    const double scale = std::max(magnitude(*wide_source.tensor), magnitude(*wide_target.tensor));
    const double wide = kWideTolerance * scale;
    // A faithful result that is further from the wide one may hang on a decision: a thousand roundings.
    const double faithful = std::min(1024 * ulp(dtype, scale), 0.05 * scale) + wide;
    for (std::size_t k = 0; k < source.tensor->size(); ++k) {
      const double s = source[k];
      const double t = target[k];
      if (class_of(s) != class_of(t)) return false;
      if (class_of(s) != NumberClass::finite) continue;  // both faithful runs overflowed in the same way
      const double exact = wide_source[k];
      if (!close(exact, wide_target[k], wide)) return false;
      if (!close(s, exact, faithful) || !close(t, exact, faithful)) return false;
      const double explained = std::max(std::abs(s - exact), ulp(dtype, exact));
      if (std::abs(t - exact) > std::max(kLostDigits * explained, wide)) return false;
    }
    return true;
  }

  DType least_of(std::size_t leaf) const {
    const DType own = leaves_.source[leaf].tensor->dtype;
    const std::optional<DType> path = rules_.precision->at(leaves_.source[leaf].position);
    return path && row_of(*path).mantissa < row_of(own).mantissa ? *path : own;
  }

  // A pass that lowers the precision lowers that of float32.
  bool may_be_lowered(std::size_t leaf) const {
    return rules_.numerics == Numerics::lowered && least_of(leaf) != DType::float64;
  }

  // The strict targets, with the random runs that were made of the target itself.
  void prepare_strict_targets(int sampled) {
    strict_.emplace();
    if (rules_.precision == nullptr) return;
    for (std::size_t i = 0; i < leaves_.source.size(); ++i) {
      if (!is_float(leaves_.source[i].tensor->dtype) || may_be_lowered(i)) continue;
      const auto [at, is_new] = strict_->try_emplace(least_of(i));
      if (!is_new) continue;
      StrictTarget& strict = at->second;
      strict.faithful = run_like(leaves_.target, rerun_target_({.least = at->first}));
      strict.wide = run_like(leaves_.target, rerun_target_({.mode = RoundingMode::wide, .least = at->first}));
      if (strict.faithful) strict.spreads.emplace(strict.faithful->leaves);
    }
    sample_strict_targets(0, sampled);
  }

  void sample_strict_targets(int first, int runs) {
    for (auto& [least, strict] : *strict_) {
      if (strict.spreads && !strict.spreads->sample(rerun_target_, first, runs, least)) strict.spreads.reset();
    }
  }

  bool sample(int first, int runs) {
    if (!source_.sample(rerun_source_, first, runs) || !target_.sample(rerun_target_, first, runs)) return false;
    if (strict_) sample_strict_targets(first, runs);
    return true;
  }

  // How far the roundings of the target move an element, if it uses no narrower precision than the source. They excuse nothing in the first
  // round, which spares most comparisons the strict targets' runs.
  double strict_width(std::size_t leaf, std::size_t k) const {
    if (!strict_) return 0;
    const auto found = strict_->find(rules_.precision == nullptr ? DType::boolean : least_of(leaf));
    if (found == strict_->end() || !found->second.spreads) return target_.at(leaf, k).width();
    Spread spread = found->second.spreads->at(leaf, k);
    if (found->second.wide) add_finite(spread, found->second.wide->leaves[leaf][k]);
    return spread.width();
  }

  static void add_finite(Spread& spread, double value) {
    if (class_of(value) == NumberClass::finite && spread.kind == NumberClass::finite) spread.add(value);
  }

  Element element(std::size_t leaf, std::size_t k, double scale) const {
    const Leaf& source = leaves_.source[leaf];
    const double wide = wide_source_ ? wide_source_->leaves[leaf][k] : source[k];
    Element element{.dtype = source.tensor->dtype,
                    .source = source[k],
                    .target = leaves_.target[leaf][k],
                    .wide = class_of(wide) == NumberClass::finite ? wide : source[k],
                    .source_spread = source_.at(leaf, k),
                    .target_spread = target_.at(leaf, k),
                    .strict_width = 0,
                    .scale = scale};
    if (widened_source_) add_finite(element.source_spread, widened_source_->leaves[leaf][k]);
    if (!is_float(element.dtype)) {
      // Where both sides agree but for rounding, it is rounding that decides, though it may do so alike in each run: a difference of products whose
      // roundings are all even is never the odd number that it is compared with.
      const bool agree_but_for_rounding = wide_source_ && wide_target_ && wide_target_->leaves[leaf][k] == wide;
      if (agree_but_for_rounding) add_finite(element.target_spread, wide);
      return element;
    }
    if (rules_.numerics == Numerics::lowered && element.dtype == DType::float32) element.dtype = DType::float16;
    add_finite(element.source_spread, element.wide);
    element.strict_width = strict_width(leaf, k);
    return element;
  }

  // Judges element by element: the first finding counts, else the first that is inconclusive.
  Comparison judge() const {
    Comparison result{Symptom::agree, {}, {"each element lies within what the roundings of the source explain"}};
    for (std::size_t i = 0; i < leaves_.source.size(); ++i) {
      const Leaf& source = leaves_.source[i];
      const double scale = std::max(magnitude(*source.tensor), magnitude(*leaves_.target[i].tensor));
      for (std::size_t k = 0; k < source.tensor->size(); ++k) {
        const Element at = element(i, k, scale);
        const ElementJudgement judgement = judge_element(at);
        if (judgement.symptom == Symptom::agree) continue;
        if (!is_finding(judgement.symptom) && result.symptom != Symptom::agree) continue;
        result = {judgement.symptom,
                  fmt::format("{} element {}: {} against {} ({})", source.path, k, at.source, at.target,
                              dtype_name(source.tensor->dtype)),
                  judgement.reasons, source.path};
        if (is_finding(result.symptom)) return result;
      }
    }
    return result;
  }

  const Leaves& leaves_;
  const ComparisonRules& rules_;
  const Rerun rerun_source_;
  const Rerun& rerun_target_;
  Spreads source_, target_;
  std::optional<Run> wide_source_, wide_target_;
  std::int64_t work_ = 0;  // of both sides' wide runs
  std::optional<Run> widened_source_;  // without roundings to floats narrower than float32; only where the target may leave them out
  std::optional<std::map<DType, StrictTarget>> strict_;  // by the dtype of the fewest digits on an output's path; nothing in the first round
};

// The elements under coarse rounding: what they are where each step is only about right. Nothing if the form of the value hangs on that.
std::optional<Spreads> coarse_spreads(const std::vector<Leaf>& leaves, const Rerun& rerun) {
  constexpr std::uint64_t kCoarseRuns = 8;
  Spreads spreads(leaves);
  for (std::uint64_t i = 1; i <= kCoarseRuns; ++i) {
    const Rounding coarse{.mode = RoundingMode::stochastic_declared, .random_state = i, .most = DType::bfloat16};
    if (!spreads.add(rerun(coarse))) return std::nullopt;
  }
  return spreads;
}

// Whether the element may be on both sides what it is on one, where steps are only about right: behind a step as trunc a small error is a
// large one.
bool hangs_on_steps(const Leaves& leaves, std::size_t leaf, std::size_t element, double tolerance, const Rerun& rerun_source,
                    const Rerun& rerun_target) {
  const std::optional<Spreads> source = coarse_spreads(leaves.source, rerun_source);
  const std::optional<Spreads> target = coarse_spreads(leaves.target, rerun_target);
  if (!source || !target) return true;
  const Spread& a = source->at(leaf, element);
  const Spread& b = target->at(leaf, element);
  return a.unstable || b.unstable || (a.low - tolerance <= b.high && b.low - tolerance <= a.high);
}

// Compares for passes that approximate by design: only gross differences are a mismatch.
Comparison compare_loosely(const Leaves& leaves, const Rerun& rerun_source, const Rerun& rerun_target) {
  for (std::size_t i = 0; i < leaves.source.size(); ++i) {
    const Leaf& source = leaves.source[i];
    const Leaf& target = leaves.target[i];
    const double scale = std::max({magnitude(*source.tensor), magnitude(*target.tensor), 1.0});
    for (std::size_t k = 0; k < source.tensor->size(); ++k) {
      if (close(source[k], target[k], 0.125 * scale)) continue;
      const bool decides = class_of(source[k]) == class_of(target[k]) && is_float(source.tensor->dtype) &&
                           !hangs_on_steps(leaves, i, k, 0.125 * scale, rerun_source, rerun_target);
      return {decides ? Symptom::mismatch : Symptom::inconclusive,
              fmt::format("{} element {}: {} against {}", source.path, k, source[k], target[k]),
              {"the pass approximates by its contract: an eighth of the tensor's magnitude is allowed"},
              source.path};
    }
  }
  return {};
}

// Of values that an exact pass should have left alike: what the roundings allow does not count.
Comparison not_exact(Comparison comparison, const Leaves& leaves) {
  if (is_finding(comparison.symptom)) return comparison;
  comparison.symptom = Symptom::mismatch;
  comparison.reasons = {"the pass is exact by its contract: it does the same operations on the same values"};
  for (std::size_t i = 0; i < leaves.source.size(); ++i) {
    if (bit_equal(*leaves.source[i].tensor, *leaves.target[i].tensor, true)) continue;
    for (std::size_t k = 0; k < leaves.source[i].tensor->size(); ++k) {
      const double s = leaves.source[i][k];
      const double t = leaves.target[i][k];
      if (s == t ? std::signbit(s) == std::signbit(t) : std::isnan(s) && std::isnan(t)) continue;
      comparison.detail = fmt::format("{} element {}: {} against {} ({}), where all bits should be equal",
                                      leaves.source[i].path, k, s, t, dtype_name(leaves.source[i].tensor->dtype));
      comparison.leaf = leaves.source[i].path;
      return comparison;
    }
  }
  return comparison;
}

// Whether the source returns tensors of other shapes, or nothing, where its roundings go another way: the shape of what R.unique returns is that
// of its values.
bool rounding_decides_form(const Value& source, const Rerun& rerun_source) {
  const Leaves leaves = leaves_of(source, source);
  Spreads spreads(leaves.source);
  return !spreads.add(rerun_source({RoundingMode::wide})) || !spreads.sample(rerun_source, 0, kFirstRuns + kSecondRuns);
}

}  // namespace

std::string site_of(const Comparison& comparison) {
  return comparison.other_dtype ? std::string(kWrongType) : "";
}

Comparison compare_values(const Value& source, const Value& target, const ComparisonRules& rules,
                          const Rerun& rerun_source, const Rerun& rerun_target) {
  if (identical(source, target)) return {Symptom::agree, {}, {"all bits are equal"}};
  const bool equal = bit_equal(source, target);
  if (equal && rules.numerics != Numerics::exact) return {Symptom::agree, {}, {"all bits are equal"}};
  const Leaves leaves = leaves_of(source, target);
  if (!leaves.difference.empty()) {
    if (rules.numerics != Numerics::exact && !leaves.other_dtype && rounding_decides_form(source, lowered(rules, rerun_source))) return form_hangs_on_rounding();
    return {.symptom = Symptom::mismatch, .detail = leaves.difference, .reasons = {}, .other_dtype = leaves.other_dtype};
  }
  Comparison comparison{Symptom::agree, {}, {"all bits are equal"}};
  if (rules.numerics == Numerics::approximate) {
    comparison = compare_loosely(leaves, rerun_source, rerun_target);
  } else if (!identical(leaves)) {
    comparison = Comparing(leaves, rules, rerun_source, rerun_target).run();
    if (rules.numerics == Numerics::exact) comparison = not_exact(std::move(comparison), leaves);
  }
  if (comparison.symptom == Symptom::agree && !equal && !leaves.callable.empty())
    return {Symptom::inconclusive, leaves.callable + " is a function", {}};
  return comparison;
}

bool roughly_equal(const Value& a, const Value& b) {
  const Leaves leaves = leaves_of(a, b);
  if (!leaves.difference.empty()) return false;
  for (std::size_t i = 0; i < leaves.source.size(); ++i) {
    const Tensor& x = *leaves.source[i].tensor;
    const Tensor& y = *leaves.target[i].tensor;
    if (!is_float(x.dtype)) {
      if (!bit_equal(x, y)) return false;
      continue;
    }
    const double scale = std::max(magnitude(x), magnitude(y));
    // Compiled code accumulates float16 and bfloat16 in that narrow format, which makes up to a few hundred roundings.
    const double tolerance = std::min(512 * ulp(x.dtype, scale), 0.05 * scale);
    for (std::size_t k = 0; k < x.size(); ++k) {
      if (!close(as_double(x, k), as_double(y, k), tolerance)) return false;
    }
  }
  return true;
}

}  // namespace passdiff
