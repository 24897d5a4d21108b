// The types of calls: our inference against that of a subject.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "fuzz/conform/drawn_call.h"
#include "passes/pass.h"

namespace passdiff {

struct TypeAgreement {
  std::string symptom;     // empty if both infer the same type
  std::string detail;      // both types, or the subject's objection
  bool compatible = true;  // a value could have both types

  bool agrees() const { return symptom.empty(); }
  // Whether the subject can be given the call with our type.
  bool compiles() const { return compatible; }
};

// Compares the types of the calls. CHECKs that the subject has an inference.
std::vector<TypeAgreement> compare_types(Subject& subject, std::span<const DrawnCall> calls);

}  // namespace passdiff
