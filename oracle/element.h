// Judging one element of an output, from its values in all runs of source and target.
#pragma once

#include <string>
#include <vector>

#include "core/tensor/dtype.h"
#include "oracle/spread.h"
#include "oracle/symptom.h"

namespace passdiff {

// Wide results that differ by less than this share of the tensor's magnitude are taken for the same number: the difference is
// that of 2^12 roundings of a double with some cancellation.
inline constexpr double kWideTolerance = 1e-9;
// Three bits: an element may be so many times further from its wide value than roundings explain.
inline constexpr double kLostDigits = 8;

struct Element {
  DType dtype;            // whose precision counts: that of the output, or what the pass may lower it to
  double source, target;  // as they were returned
  double wide;            // the source in wide arithmetic, if that is finite, else `source`
  Spread source_spread, target_spread;
  // How far the target's own roundings move the element, were it computed in no narrower precision than the source.
  double strict_width;
  double scale;  // the largest magnitude in the tensor
};

struct ElementJudgement {
  Symptom symptom = Symptom::agree;  // agree, mismatch, less_precise or inconclusive
  std::vector<std::string> reasons;  // sentences, for people
};
ElementJudgement judge_element(const Element& element);

}  // namespace passdiff
