#include "oracle/compare.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "core/tensor/tensor.h"

namespace passdiff {
namespace {

// Runs of each side under random rounding. An unstable decision (a floor near an integer) that flips half of the time stays
// unseen in one of 2^12 elements; a second round of runs then sees it.
constexpr int kStochasticRuns = 12;
constexpr int kMoreStochasticRuns = 52;
// Wide results that differ by less than this share of the tensor's magnitude are taken for the same number: the difference is
// that of 2^12 roundings of a double with some cancellation.
constexpr double kWideTolerance = 1e-9;
// A mismatch needs a gap of this many times the spreads of both sides together.
constexpr double kGapFactor = 4;

// A tensor in a value, with the path to it through tuples: "result[1]".
struct Leaf {
  std::string path;
  const Tensor* tensor;
};

// The tensors of both sides, in the same order; or the difference, where the values differ in kind, shape or dtype.
struct Leaves {
  std::vector<Leaf> source, target;
  std::string difference;
  std::string callable;  // the path to a function in the values, if there is one: functions cannot be compared
};

std::string difference_in_kind(const Value& a, const Value& b, const std::string& path, Leaves& leaves) {
  if (a.node.index() != b.node.index()) return path + " is another kind of value";
  if (const TupleValue* tuple = a.as_tuple()) {
    const TupleValue& other = b.tuple();
    if (tuple->fields.size() != other.fields.size()) {
      return fmt::format("{} has {} fields against {}", path, tuple->fields.size(), other.fields.size());
    }
    for (std::size_t i = 0; i < tuple->fields.size(); ++i) {
      std::string found =
          difference_in_kind(tuple->fields[i], other.fields[i], fmt::format("{}[{}]", path, i), leaves);
      if (!found.empty()) return found;
    }
    return {};
  }
  if (const TensorPtr* tensor = a.as_tensor()) {
    const Tensor& x = **tensor;
    const Tensor& y = b.tensor();
    if (x.dtype != y.dtype || x.shape() != y.shape()) {
      return fmt::format("{}: {} against {}", path, to_string(x, 0), to_string(y, 0));
    }
    leaves.source.push_back({path, &x});
    leaves.target.push_back({path, &y});
    return {};
  }
  if (std::holds_alternative<std::shared_ptr<const Callable>>(a.node)) {
    leaves.callable = path;
    return {};
  }
  if (!bit_equal(a, b)) return fmt::format("{}: {} against {}", path, to_string(a), to_string(b));
  return {};
}

Leaves leaves_of(const Value& source, const Value& target) {
  Leaves leaves;
  leaves.difference = difference_in_kind(source, target, "result", leaves);
  return leaves;
}

enum class Class : std::uint8_t { finite, nan, plus_infinity, minus_infinity };
Class class_of(double v) {
  if (std::isnan(v)) return Class::nan;
  if (std::isinf(v)) return v > 0 ? Class::plus_infinity : Class::minus_infinity;
  return Class::finite;
}

double magnitude(const Tensor& tensor) {
  double largest = 0;
  for (std::size_t i = 0; i < tensor.size(); ++i) {
    const double v = std::abs(as_double(tensor, i));
    if (std::isfinite(v)) largest = std::max(largest, v);
  }
  return largest;
}

bool close(double a, double b, double tolerance) {
  if (class_of(a) != class_of(b)) return false;
  return class_of(a) != Class::finite || std::abs(a - b) <= tolerance;
}

// How far a faithful result may lie from the wide one without a look at random roundings: a thousand roundings.
double faithful_tolerance(DType dtype, double scale) {
  return 1024 * ulp(dtype, scale);
}

bool wide_agrees(const Leaf& wide_source, const Leaf& wide_target, const Leaf& source, const Leaf& target) {
  const Tensor& ws = *wide_source.tensor;
  const Tensor& wt = *wide_target.tensor;
  if (!is_float(ws.dtype)) return bit_equal(ws, wt) && bit_equal(*source.tensor, *target.tensor);
  const double scale = std::max(magnitude(ws), magnitude(wt));
  const double wide = kWideTolerance * scale;
  const double faithful = std::min(faithful_tolerance(ws.dtype, scale), 0.05 * scale) + wide;
  for (std::size_t i = 0; i < ws.size(); ++i) {
    const double s = as_double(*source.tensor, i);
    const double t = as_double(*target.tensor, i);
    if (class_of(s) != class_of(t)) return false;
    if (class_of(s) != Class::finite) continue;  // both faithful runs overflowed in the same way
    if (!close(as_double(ws, i), as_double(wt, i), wide)) return false;
    if (!close(s, as_double(ws, i), faithful) || !close(t, as_double(wt, i), faithful)) return false;
  }
  return true;
}

bool wide_runs_agree(const Leaves& leaves, const Rerun& rerun_source, const Rerun& rerun_target) {
  const Rounding wide{RoundingMode::wide};
  const Outcome source_run = rerun_source(wide);
  const Outcome target_run = rerun_target(wide);
  const auto* source = std::get_if<Returned>(&source_run);
  const auto* target = std::get_if<Returned>(&target_run);
  if (source == nullptr || target == nullptr) return false;
  const Leaves wide_leaves = leaves_of(source->value, target->value);
  if (!wide_leaves.difference.empty() || wide_leaves.source.size() != leaves.source.size()) return false;
  for (std::size_t i = 0; i < leaves.source.size(); ++i) {
    if (wide_leaves.source[i].tensor->shape() != leaves.source[i].tensor->shape()) return false;
    if (!wide_agrees(wide_leaves.source[i], wide_leaves.target[i], leaves.source[i], leaves.target[i]))
      return false;
  }
  return true;
}

// The values of one element in all runs under random rounding.
struct Spread {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  std::optional<Class> kind;
  bool unstable = false;  // finite in one run and not in another

  void add(double v) {
    const Class c = class_of(v);
    if (kind && *kind != c) unstable = true;
    kind = c;
    if (c == Class::finite) {
      low = std::min(low, v);
      high = std::max(high, v);
    }
  }
  double width() const { return high > low ? high - low : 0; }
};
using Spreads = std::vector<std::vector<Spread>>;  // spreads[i][k] is that of element k of leaf i

// Adds the values of one run. False if the run ended otherwise than the faithful one, or with other shapes: both may depend on
// values.
bool add_run(Spreads& spreads, const Outcome& outcome, const std::vector<Leaf>& like) {
  const auto* returned = std::get_if<Returned>(&outcome);
  if (returned == nullptr) return false;
  Leaves run = leaves_of(returned->value, returned->value);
  if (run.source.size() != like.size()) return false;
  for (std::size_t i = 0; i < like.size(); ++i) {
    const Tensor& tensor = *run.source[i].tensor;
    if (tensor.shape() != like[i].tensor->shape() || tensor.dtype != like[i].tensor->dtype) return false;
    for (std::size_t k = 0; k < tensor.size(); ++k) spreads[i][k].add(as_double(tensor, k));
  }
  return true;
}

Spreads spreads_of(const std::vector<Leaf>& faithful) {
  Spreads spreads;
  for (const Leaf& leaf : faithful) {
    auto& elements = spreads.emplace_back(leaf.tensor->size());
    for (std::size_t k = 0; k < elements.size(); ++k) elements[k].add(as_double(*leaf.tensor, k));
  }
  return spreads;
}

bool sample(Spreads& spreads, const std::vector<Leaf>& like, const Rerun& rerun, int first, int runs) {
  for (int i = 0; i < runs; ++i) {
    // Some runs perturb in wide precision, which moves decisions that depend on the last bits of values that look exact.
    const RoundingMode mode = i % 4 == 3 ? RoundingMode::stochastic_wide : RoundingMode::stochastic_declared;
    if (!add_run(spreads, rerun({mode, static_cast<std::uint64_t>(first + i + 1)}), like)) return false;
  }
  return true;
}

Symptom judge_element(const Spread& source, const Spread& target, DType dtype, double scale,
                      double accuracy) {
  if (source.unstable || target.unstable) return Symptom::inconclusive;
  if (*source.kind != *target.kind) return Symptom::mismatch;
  if (*source.kind != Class::finite) return Symptom::agree;
  const double gap = std::max(source.low - target.high, target.low - source.high);
  const double spread = source.width() + target.width();
  if (gap <= 0) return spread == 0 ? Symptom::agree : Symptom::inconclusive;
  if (!is_float(dtype)) return spread == 0 ? Symptom::mismatch : Symptom::inconclusive;
  const double slack = kGapFactor * accuracy * spread + 8 * accuracy * ulp(dtype, scale);
  return gap > slack ? Symptom::mismatch : Symptom::inconclusive;
}

// Judges element by element. Overlapping spreads of floats agree if they are narrow, a hundredth of the tensor's magnitude; else
// the element is inconclusive.
Comparison judge_spreads(const Leaves& leaves, const Spreads& source, const Spreads& target,
                         double accuracy) {
  Comparison result;
  for (std::size_t i = 0; i < leaves.source.size(); ++i) {
    const Tensor& s = *leaves.source[i].tensor;
    const Tensor& t = *leaves.target[i].tensor;
    const double scale = std::max(magnitude(s), magnitude(t));
    for (std::size_t k = 0; k < s.size(); ++k) {
      const Symptom symptom = judge_element(source[i][k], target[i][k], s.dtype, scale, accuracy);
      const auto describe = [&] {
        return fmt::format("{} element {}: {} against {} ({})", leaves.source[i].path, k, as_double(s, k),
                           as_double(t, k), dtype_name(s.dtype));
      };
      if (symptom == Symptom::mismatch) return {symptom, describe()};
      if (symptom == Symptom::agree) continue;
      const double spread = source[i][k].width() + target[i][k].width();
      const bool determined = is_float(s.dtype) && !source[i][k].unstable && !target[i][k].unstable &&
                              spread <= 0.01 * scale + 64 * accuracy * ulp(s.dtype, scale);
      if (!determined && result.symptom == Symptom::agree) result = {Symptom::inconclusive, describe()};
    }
  }
  return result;
}

Comparison stochastic(const Leaves& leaves, const ComparisonRules& rules, const Rerun& rerun_source,
                      const Rerun& rerun_target) {
  Spreads source = spreads_of(leaves.source);
  Spreads target = spreads_of(leaves.target);
  const auto sample_both = [&](int first, int runs) {
    return sample(source, leaves.source, rerun_source, first, runs) &&
           sample(target, leaves.target, rerun_target, first, runs);
  };
  if (!sample_both(0, kStochasticRuns))
    return {Symptom::inconclusive, "the form of the result hangs on rounding"};
  Comparison result = judge_spreads(leaves, source, target, rules.accuracy);
  if (result.symptom != Symptom::mismatch) return result;
  if (!sample_both(kStochasticRuns, kMoreStochasticRuns)) {
    return {Symptom::inconclusive, "the form of the result hangs on rounding"};
  }
  return judge_spreads(leaves, source, target, rules.accuracy);
}

// Compares for passes that compute less exactly by design: only gross differences are a mismatch, and overflow of a narrower
// format is none.
Comparison compare_loosely(const Leaves& leaves) {
  for (std::size_t i = 0; i < leaves.source.size(); ++i) {
    const Tensor& s = *leaves.source[i].tensor;
    const Tensor& t = *leaves.target[i].tensor;
    const double scale = std::max({magnitude(s), magnitude(t), 1.0});
    for (std::size_t k = 0; k < s.size(); ++k) {
      const double a = as_double(s, k);
      const double b = as_double(t, k);
      if (class_of(a) != class_of(b)) return {Symptom::inconclusive, "overflow in the narrower format"};
      if (!close(a, b, 0.125 * scale)) {
        return {is_float(s.dtype) ? Symptom::mismatch : Symptom::inconclusive,
                fmt::format("{} element {}: {} against {}", leaves.source[i].path, k, a, b)};
      }
    }
  }
  return {};
}

}  // namespace

Comparison compare_values(const Value& source, const Value& target, const ComparisonRules& rules,
                          const Rerun& rerun_source, const Rerun& rerun_target) {
  if (bit_equal(source, target)) return {};
  const Leaves leaves = leaves_of(source, target);
  const bool loose = rules.numerics == Numerics::lowered || rules.numerics == Numerics::approximate;
  if (!leaves.difference.empty()) {
    // A pass that lowers precision by design may change the dtype of an output.
    return {rules.numerics == Numerics::lowered ? Symptom::inconclusive : Symptom::mismatch,
            leaves.difference};
  }
  Comparison comparison;
  if (loose) {
    comparison = compare_loosely(leaves);
  } else if (!wide_runs_agree(leaves, rerun_source, rerun_target)) {
    comparison = stochastic(leaves, rules, rerun_source, rerun_target);
  }
  if (comparison.symptom == Symptom::agree && !leaves.callable.empty()) {
    return {Symptom::inconclusive, leaves.callable + " is a function"};
  }
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
