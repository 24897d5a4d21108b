// What an input of fuzz_interpreter runs: the same for the target and for the command, which shows it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <xxhash.h>

#include "core/eval/interpret.h"
#include "core/gen/recorded.h"

namespace passdiff {

// Small, so that a target runs many modules a second.
inline constexpr Limits kInputLimits = {
    .steps = 2000, .elements = 1 << 14, .total_elements = 1 << 18, .depth = 40};

// The arguments of a function of the module that an input describes. Fails as draw_arguments does.
inline Result<std::vector<Value>> arguments_of_input(const Module& module, const std::string& function,
                                                     std::span<const std::uint8_t> input) {
  const std::uint64_t seed = XXH3_64bits(input.data(), input.size());
  return draw_arguments(module, function, {.seed = seed, .attempts = 2, .limits = kInputLimits});
}

}  // namespace passdiff
