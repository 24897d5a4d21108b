// How far random rounding moves the elements of a value: which of their digits a program determines.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "core/eval/outcome.h"
#include "core/tensor/rounding.h"
#include "oracle/leaves.h"

namespace passdiff {

// Executes the source, or the target, again under another rounding.
using Rerun = std::function<Outcome(const Rounding&)>;

// The values of one element in several runs.
struct Spread {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  std::optional<NumberClass> kind;
  bool unstable = false;  // finite in one run and not in another, or NaN in one and infinite in another

  void add(double value);
  double width() const { return high > low ? high - low : 0; }
};

// The spreads of all elements of one side. The leaves that it is made of must outlive it.
class Spreads {
 public:
  // Of a single run.
  explicit Spreads(const std::vector<Leaf>& leaves);

  // Adds a run. False if it ended otherwise than the first, or with other shapes: both may depend on values.
  bool add(const Outcome& outcome);
  // Adds `runs` runs under random rounding, with the seeds that follow `first`. `least` is Rounding::least of them.
  bool sample(const Rerun& rerun, int first, int runs, std::optional<DType> least = std::nullopt);
  const Spread& at(std::size_t leaf, std::size_t element) const { return spreads_[leaf][element]; }

 private:
  const std::vector<Leaf>& like_;
  std::vector<std::vector<Spread>> spreads_;
};

}  // namespace passdiff
