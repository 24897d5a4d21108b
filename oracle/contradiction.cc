#include "oracle/contradiction.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "oracle/compare.h"

namespace passdiff {
namespace {

constexpr int kRuns = 12;

// How far apart two numbers are; infinitely, if one is not finite and they differ.
double distance(double a, double b) {
  if (class_of(a) != class_of(b)) return std::numeric_limits<double>::infinity();
  return class_of(a) == NumberClass::finite ? std::fabs(a - b) : 0;
}

// Calls visit(leaf, element, claimed) on the elements that differ, `claimed` being how far.
template <class Visit>
void for_each_difference(const Leaves& leaves, Visit visit) {
  for (std::size_t i = 0; i < leaves.source.size(); ++i) {
    for (std::size_t k = 0; k < leaves.source[i].tensor->size(); ++k) {
      const double claimed = distance(leaves.source[i][k], leaves.target[i][k]);
      if (claimed > 0) visit(i, k, claimed);
    }
  }
}

// Whether the machine computes the same on both sides in all tensors in which the interpreter claims numbers that differ, and there are some.
bool shows_nothing(const Leaves& claims, const Leaves& seen) {
  bool claimed = false;
  bool shown = false;
  for_each_difference(claims, [&](std::size_t i, std::size_t, double) {
    claimed = true;
    shown = shown || !bit_equal(*seen.source[i].tensor, *seen.target[i].tensor);
  });
  return claimed && !shown;
}

}  // namespace

bool contradicts(const ValuePair& interpreter, const ValuePair& machine, const Rerun& as_compiled) {
  const Leaves claims = leaves_of(interpreter.source, interpreter.target);
  const Leaves seen = leaves_of(machine.source, machine.target);
  if (!claims.difference.empty() || !seen.difference.empty() || claims.source.size() != seen.source.size())
    return roughly_equal(machine.source, machine.target);
  if (shows_nothing(claims, seen)) return true;
  Spreads spreads(claims.source);
  if (!spreads.sample(as_compiled, 0, kRuns)) return false;
  std::vector<double> units;
  for (const Leaf& one : claims.source) units.push_back(ulp(one.tensor->dtype, magnitude(*one.tensor)));
  const auto clarity = [&](std::size_t i, std::size_t k, double claimed) {
    return claimed / std::max(spreads.at(i, k).width(), units[i]);
  };
  double clearest = 0;
  for_each_difference(claims, [&](std::size_t i, std::size_t k, double claimed) {
    clearest = std::max(clearest, clarity(i, k, claimed));
  });
  bool sees = false;
  bool denies = false;
  for_each_difference(claims, [&](std::size_t i, std::size_t k, double claimed) {
    const Tensor& tensor = *seen.source[i].tensor;
    if (clarity(i, k, claimed) < clearest / 2 || k >= tensor.size()) return;
    const bool apart = 2 * distance(seen.source[i][k], seen.target[i][k]) >= claimed;
    sees |= apart;
    denies |= !apart && !spreads.at(i, k).unstable && claimed > 2 * spreads.at(i, k).width();
  });
  return denies && !sees;
}

}  // namespace passdiff
