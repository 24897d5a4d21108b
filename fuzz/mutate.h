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

// Where the steps of an input's module lie, as making the module finds out: offsets in module_bytes(), the
// first step's first; `end` is where the bytes that are worth keeping end.
struct InputLayout {
  std::vector<std::size_t> steps;
  std::size_t end = 0;
};

// Remembers the layouts of inputs it has seen: what a fuzzer mutates it has mostly just run, and making the
// module again to find its steps costs as much as checking it.
class InputMutator {
 public:
  InputMutator();

  // The case that an input's module bytes make.
  TestCase make_case(std::span<const std::uint8_t> input);

  // Both give at most `max_size` bytes, functions of the arguments alone. An input too short to make anything
  // becomes a fresh one.
  std::vector<std::uint8_t> mutate(std::span<const std::uint8_t> input, std::size_t max_size,
                                   std::uint64_t seed);
  // The configuration and some steps of the first, steps of the second among them.
  std::vector<std::uint8_t> cross(std::span<const std::uint8_t> first, std::span<const std::uint8_t> second,
                                  std::size_t max_size, std::uint64_t seed);

 private:
  struct Slot {
    std::uint64_t hash = 0;
    InputLayout layout;
  };
  Slot& slot_of(std::uint64_t hash) { return slots_[hash % slots_.size()]; }
  const InputLayout& layout_of(std::span<const std::uint8_t> input);

  std::vector<Slot> slots_;
};

}  // namespace passdiff
