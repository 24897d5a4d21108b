// The types of calls: our inference against that of a subject.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "fuzz/conform/variants.h"
#include "passes/pass.h"

namespace passdiff {

struct TypeAgreement {
  std::string symptom;     // empty if both infer the same type, or both refuse the call
  std::string detail;      // both types, or the objection of the side that refuses
  bool compatible = true;  // a value could have both types: the subject can be given the call with ours

  bool agrees() const { return symptom.empty(); }
};

// Compares the types of the calls. CHECKs that the subject has an inference.
std::vector<TypeAgreement> compare_types(Subject& subject, std::span<const TypedCall> calls);

}  // namespace passdiff
