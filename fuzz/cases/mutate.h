// Mutation of fuzzer inputs along the structure of the modules that they make: whole steps of the generator are cut, pasted
// and exchanged, and single decisions are changed inside of a step.
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

// Where the steps of an input lie, which is known once its module has been made: their offsets in module_bytes() in
// increasing order, and the end of the bytes that are worth keeping.
struct InputLayout {
  std::vector<std::size_t> steps;
  std::size_t end = 0;
};

// Mutates inputs. It remembers the layouts of inputs that it has seen: a fuzzer mostly mutates what it has just run, and making
// the module again to find its steps costs as much as checking it.
class InputMutator {
 public:
  // Inputs make modules under these options.
  explicit InputMutator(GenerateOptions options = {});

  // The case that an input's module bytes make.
  TestCase make_case(std::span<const std::uint8_t> input);
  // The input without the bytes that are not worth keeping: it makes the same case.
  std::span<const std::uint8_t> trimmed(std::span<const std::uint8_t> input);

  // A mutation of an input; like cross() it gives at most `max_size` bytes and depends on the arguments alone. An input that is
  // too short to make anything becomes a fresh one.
  std::vector<std::uint8_t> mutate(std::span<const std::uint8_t> input, std::size_t max_size,
                                   std::uint64_t seed);
  // The configuration and some steps of the first input, with steps of the second between them.
  std::vector<std::uint8_t> cross(std::span<const std::uint8_t> first, std::span<const std::uint8_t> second,
                                  std::size_t max_size, std::uint64_t seed);

 private:
  struct Slot {
    std::uint64_t hash = 0;
    InputLayout layout;
  };
  Slot& slot_of(std::uint64_t hash) { return slots_[hash % slots_.size()]; }
  const InputLayout& layout_of(std::span<const std::uint8_t> input);

  GenerateOptions options_;
  std::vector<Slot> slots_;
};

}  // namespace passdiff
