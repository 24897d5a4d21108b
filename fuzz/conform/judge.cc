#include "fuzz/conform/judge.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/splitmix.h"
#include "core/tensor/rounding.h"
#include "core/tensor/tensor.h"
#include "oracle/leaves.h"

namespace passdiff {
namespace {

constexpr int kPerturbations = 12;
constexpr std::size_t kKept =
    64;  // differences that are kept: whether all of them are explained is decided by these

// Collects the tensors of both values, in order. Returns in what the values differ beside elements.
std::string leaves_of(const Value& ours, const Value& theirs, std::vector<const Tensor*>& our_leaves,
                      std::vector<const Tensor*>& their_leaves) {
  if (const TupleValue* tuple = ours.as_tuple()) {
    const TupleValue* other = theirs.as_tuple();
    if (other == nullptr || other->fields.size() != tuple->fields.size())
      return fmt::format("a tuple of {} against {}", tuple->fields.size(), to_string(theirs, 0));
    for (std::size_t i = 0; i < tuple->fields.size(); ++i) {
      std::string found = leaves_of(tuple->fields[i], other->fields[i], our_leaves, their_leaves);
      if (!found.empty()) return found;
    }
    return {};
  }
  const auto* scalar = std::get_if<ScalarValue>(&ours.node);
  const auto* other_scalar = std::get_if<ScalarValue>(&theirs.node);
  // TVM's machine has one kind of integer: an int64 stands for those of all dtypes.
  if (scalar != nullptr && other_scalar != nullptr && scalar->value == other_scalar->value) return {};
  const TensorPtr* x = ours.as_tensor();
  const TensorPtr* y = theirs.as_tensor();
  if (x == nullptr || y == nullptr)
    return bit_equal(ours, theirs) ? std::string()
                                   : fmt::format("{} against {}", to_string(ours), to_string(theirs));
  if ((*x)->dtype != (*y)->dtype || (*x)->shape() != (*y)->shape())
    return fmt::format("{} against {}", to_string(**x, 0), to_string(**y, 0));
  our_leaves.push_back(x->get());
  their_leaves.push_back(y->get());
  return {};
}

// The value with each finite float in it, but zero, moved by one ulp up or down, or left: of its own dtype, or of
// `result`, to which an op may round its operands, if that has fewer digits.
Value perturbed(const Value& value, DType result, std::uint64_t& state) {
  if (const TupleValue* tuple = value.as_tuple()) {
    TupleValue moved;
    for (const Value& field : tuple->fields) moved.fields.push_back(perturbed(field, result, state));
    return moved;
  }
  const TensorPtr* tensor = value.as_tensor();
  if (tensor == nullptr || !is_float((*tensor)->dtype)) return value;
  Tensor moved = **tensor;
  double* elements = std::get<Tensor::Floats>(moved.values).data();
  for (std::size_t i = 0; i < moved.size(); ++i) {
    const auto step = static_cast<double>(splitmix64_finish(state += kGoldenGamma) % 3) - 1;
    if (!std::isfinite(elements[i]) || elements[i] == 0) continue;
    const double unit = ulp(moved.dtype, elements[i]);
    elements[i] += step * (is_float(result) ? std::max(unit, ulp(result, elements[i])) : unit);
  }
  return make_tensor(std::move(moved));
}

constexpr Rounding kWide{RoundingMode::wide};

// The operands with each number of each tensor replaced by what `replace` makes of it.
template <class Replace>
std::vector<Value> replaced(std::span<const Value> operands, Replace replace) {
  std::vector<Value> result;
  for (const Value& operand : operands) {
    if (const TupleValue* tuple = operand.as_tuple()) {
      result.emplace_back(TupleValue{replaced(tuple->fields, replace)});
    } else if (const TensorPtr* tensor = operand.as_tensor()) {
      Tensor copy = **tensor;
      std::visit([&](auto& values) { std::transform(values.begin(), values.end(), values.begin(), replace); },
                 copy.values);
      result.emplace_back(make_tensor(std::move(copy)));
    } else {
      result.push_back(operand);
    }
  }
  return result;
}

// How far the elements of a multilinear op's result may be off, however its n products of k factors are added up. If
// factors, products and sums are rounded with unit roundoff u, the error is at most (n + k) u times the sum of the
// products' magnitudes, to first order (Higham, Accuracy and Stability of Numerical Algorithms, 3.1). The op itself says
// both: n is what it makes of ones, the sum what it makes of magnitudes.
class SumBound {
 public:
  explicit SumBound(const DrawnCall& call)
      : factors_(static_cast<double>(call.operands.size())),
        counts_(evaluate(call, replaced(call.operands, [](auto v) { return decltype(v){1}; }), kWide)),
        magnitudes_(evaluate(call, replaced(call.operands, [](auto v) { return magnitude(v); }), kWide)) {}

  double of(std::size_t element) const {
    const Tensor& sums = magnitudes_.tensor();
    const double steps = as_double(counts_.tensor(), element) + factors_;
    return steps * (ulp(sums.dtype, 1) / 2 * as_double(sums, element) + ulp(sums.dtype, 0));
  }
  // Whether the order of the sum decides whether it leaves the range of its dtype.
  bool may_overflow(std::size_t element) const {
    const Tensor& sums = magnitudes_.tensor();
    const double sum = as_double(sums, element);
    return std::isfinite(sum) && sum > largest_finite(sums.dtype);
  }

 private:
  template <class T>
  static T magnitude(T value) {
    if constexpr (std::is_signed_v<T>) {
      if (value < 0) return value == std::numeric_limits<T>::min() ? std::numeric_limits<T>::max() : -value;
    }
    return value;
  }
  double factors_;
  Value counts_, magnitudes_;
};

// What runs of a call are off in: its operands, by an ulp, or steps within the op, by what library functions owe.
enum class Moved : std::uint8_t { operands, steps };

// How far each element of each leaf moves then; NaN if it is finite in one run and not in another.
class Movement {
 public:
  Movement(const DrawnCall& call, const std::vector<const Tensor*>& leaves, Moved what) {
    for (const Tensor* leaf : leaves) moves_.emplace_back(leaf->size(), 0.0);
    std::uint64_t state = 1;
    const DType result = leaves.front()->dtype;
    const Value center = evaluate(call, call.operands, kWide);
    for (int run = 0; run < kPerturbations; ++run) {
      std::vector<Value> operands;
      for (const Value& operand : call.operands)
        operands.push_back(what == Moved::operands ? perturbed(operand, result, state) : operand);
      Rounding rounding = kWide;
      rounding.library_errors = what == Moved::steps;
      rounding.random_state = splitmix64_finish(++state);
      add(center, evaluate(call, operands, rounding));
    }
  }
  double of(std::size_t leaf, std::size_t element) const { return moves_[leaf][element]; }

 private:
  void add(const Value& center, const Value& run) {
    std::vector<const Tensor*> a, b;
    if (!leaves_of(center, run, a, b).empty() || a.size() != moves_.size()) return;
    for (std::size_t leaf = 0; leaf < a.size(); ++leaf) {
      for (std::size_t i = 0; i < a[leaf]->size() && i < moves_[leaf].size(); ++i) {
        const double x = as_double(*a[leaf], i);
        const double y = as_double(*b[leaf], i);
        double& move = moves_[leaf][i];
        if (class_of(x) != class_of(y)) {
          move = NAN;
        } else if (class_of(x) == NumberClass::finite && !std::isnan(move)) {
          move = std::max(move, std::fabs(x - y));
        }
      }
    }
  }
  std::vector<std::vector<double>> moves_;
};

class Judge {
 public:
  Judge(const DrawnCall& call, Conformity& result) : call_(call), result_(result) {}

  void compare(const Value& ours, const Value& theirs) {
    result_.form = leaves_of(ours, theirs, ours_, theirs_);
    if (!result_.form.empty()) return;
    for (std::size_t leaf = 0; leaf < ours_.size(); ++leaf) {
      if (!bit_equal(*ours_[leaf], *theirs_[leaf], call_.op->ulps == 0)) compare_leaf(leaf);
    }
  }

 private:
  void compare_leaf(std::size_t leaf) {
    const Tensor& x = *ours_[leaf];
    const Tensor& y = *theirs_[leaf];
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (is_float(x.dtype)) {
        compare_floats(leaf, i, as_double(x, i), as_double(y, i));
      } else if (as_int(x, i) != as_int(y, i)) {
        differ(leaf, i, 0);
      }
    }
  }

  void compare_floats(std::size_t leaf, std::size_t i, double x, double y) {
    const double ulps = call_.op->ulps;
    const bool same_class = class_of(x) == class_of(y);
    if (same_class && class_of(x) != NumberClass::finite) return;
    if (ulps == 0) {
      if (x != y || std::signbit(x) != std::signbit(y)) differ(leaf, i, 0);
      return;
    }
    // No number is near one of another class.
    const double near = same_class ? ulps * ulp(ours_[leaf]->dtype, std::max(std::fabs(x), std::fabs(y))) : 0;
    if (same_class && std::fabs(x - y) <= near) return;
    const double tolerance = near + (call_.op->multilinear ? bound(i, same_class) : spread(leaf, i));
    if (std::isnan(tolerance)) {
      ++result_.undetermined;
    } else if (!same_class || std::fabs(x - y) > tolerance) {
      differ(leaf, i, tolerance);
    }
  }

  // By how much more elements may differ for what happens on the way to them; NaN if nothing can be said.
  double bound(std::size_t i, bool same_class) {
    if (!bound_) bound_.emplace(call_);
    return !same_class && bound_->may_overflow(i) ? NAN : bound_->of(i);
  }
  double spread(std::size_t leaf, std::size_t i) {
    if (!steps_) steps_.emplace(call_, ours_, Moved::steps);
    if (call_.op->elementwise) return steps_->of(leaf, i);
    if (!operands_) operands_.emplace(call_, ours_, Moved::operands);
    return steps_->of(leaf, i) + call_.op->ulps * operands_->of(leaf, i);
  }

  void differ(std::size_t leaf, std::size_t i, double tolerance) {
    if (++result_.count > kKept) return;
    result_.elements.push_back(
        {leaf, i, ours_[leaf]->dtype, as_double(*ours_[leaf], i), as_double(*theirs_[leaf], i), tolerance});
  }

  const DrawnCall& call_;
  Conformity& result_;
  std::vector<const Tensor*> ours_, theirs_;
  std::optional<SumBound> bound_;
  std::optional<Movement> steps_, operands_;
};

}  // namespace

std::string Conformity::detail() const {
  if (!form.empty()) return form;
  if (elements.empty()) return "equal";
  const ElementDifference& first = elements.front();
  return fmt::format(
      "{} elements differ; result {} element {}: {:.17g} here, {:.17g} compiled ({}, tolerance {:.3g})",
      count, first.leaf, first.element, first.ours, first.theirs, dtype_name(first.dtype), first.tolerance);
}

Conformity compare_results(const DrawnCall& call, const Value& ours, const Value& theirs) {
  Conformity result;
  Judge(call, result).compare(ours, theirs);
  return result;
}

}  // namespace passdiff
