// The names of the checks, as verdicts carry them; the table in check.cc says what each looks at.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "oracle/verdict.h"

namespace passdiff {

inline constexpr std::string_view kTransforms = "transforms";
inline constexpr std::string_view kInputUntouched = "input-untouched";
inline constexpr std::string_view kWellFormed = "well-formed";
inline constexpr std::string_view kConvention = "convention";
inline constexpr std::string_view kOutputsRefine = "outputs-refine";
inline constexpr std::string_view kVmAgrees = "vm-agrees";
inline constexpr std::string_view kIdempotent = "idempotent";
inline constexpr std::string_view kSequential = "sequential";
inline constexpr std::string_view kRepeatable = "repeatable";

inline Verdict make_verdict(Symptom symptom, Stage stage, std::string_view check, std::string site = {},
                            std::string detail = {}) {
  return {.symptom = symptom,
          .stage = stage,
          .check = std::string(check),
          .site = std::move(site),
          .detail = std::move(detail)};
}

}  // namespace passdiff
