// The symptoms that repro.py shows in ways of their own, as verdicts name them. It compares what source and target
// return for all others.
#pragma once

#include <array>
#include <string_view>

namespace passdiff::symptoms {

inline constexpr std::string_view kInternalError = "internal-error";
inline constexpr std::string_view kCrash = "crash";
inline constexpr std::string_view kTimeout = "timeout";
inline constexpr std::string_view kMemory = "memory";
inline constexpr std::string_view kInputMutated = "input-mutated";
inline constexpr std::string_view kNotIdempotent = "not-idempotent";
inline constexpr std::string_view kNondeterministic = "nondeterministic";
inline constexpr std::string_view kSequentialDiffers = "sequential-differs";
inline constexpr std::string_view kIllFormed = "ill-formed";
inline constexpr std::string_view kWrongTypeSymptom = "wrong-type";
inline constexpr std::string_view kSignature = "signature";
inline constexpr std::string_view kNotKept = "not-kept";
inline constexpr std::string_view kOtherEffects = "other-effects";
inline constexpr std::string_view kWrongDerivative = "wrong-derivative";
inline constexpr std::string_view kAddedUndefined = "added-undefined";

inline constexpr std::array kAll = {
    kInternalError,     kCrash,     kTimeout,          kMemory,    kInputMutated, kNotIdempotent, kNondeterministic,
    kSequentialDiffers, kIllFormed, kWrongTypeSymptom, kSignature, kNotKept,      kOtherEffects,  kWrongDerivative,
    kAddedUndefined};

}  // namespace passdiff::symptoms
