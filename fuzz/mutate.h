// Mutation of fuzzer inputs that keeps the structure of the module they make: whole steps of the generator
// are cut, pasted and exchanged, and single decisions changed inside one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/gen/generate.h"

namespace passdiff {

// A fuzzer input: the first bytes choose the pipeline and its options, the rest makes the module.
inline constexpr std::size_t kPipelineBytes = 24;
std::span<const std::uint8_t> pipeline_bytes(std::span<const std::uint8_t> input);
std::span<const std::uint8_t> module_bytes(std::span<const std::uint8_t> input);

// Both give at most `max_size` bytes, functions of the arguments alone. An input too short to make anything
// becomes a fresh one.
std::vector<std::uint8_t> mutate_input(std::span<const std::uint8_t> input, std::size_t max_size,
                                       std::uint64_t seed);
// The configuration and some steps of the first, steps of the second among them.
std::vector<std::uint8_t> cross_inputs(std::span<const std::uint8_t> first,
                                       std::span<const std::uint8_t> second, std::size_t max_size,
                                       std::uint64_t seed);

}  // namespace passdiff
