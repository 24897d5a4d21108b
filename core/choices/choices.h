// Choices: a cursor over fuzzer bytes, from which every random decision is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/check.h"

namespace passdiff {

// Never fails: once the bytes run out, every choice is the first one. A decision reads as few bytes as its range
// needs (one for up to 256 outcomes), so that a small edit of the bytes is a small edit of what is made from them.
class Choices {
 public:
  explicit Choices(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  std::size_t index(std::size_t count);                       // in [0, count); count > 0
  std::int64_t integer(std::int64_t low, std::int64_t high);  // inclusive; low is the first choice
  bool one_in(unsigned n);                                    // true once in n; false is the first choice
  bool flip() { return index(2) == 1; }
  template <class T>
  const T& pick(const std::vector<T>& from) {
    return from[index(from.size())];
  }
  template <class T, std::size_t N>
  const T& pick(const T (&from)[N]) {
    return from[index(N)];
  }
  // An index with probability weights[i] / sum. The first positive weight is the first choice.
  std::size_t weighted(std::span<const unsigned> weights);
  std::size_t consumed() const { return position_; }

  // A unit is a run of decisions that makes one thing (a step of the generator). Where units begin is written down for
  // mutators, which cut and paste whole ones.
  void record_units(std::vector<std::size_t>* positions) { units_ = positions; }
  void begin_unit() {
    if (units_ != nullptr) units_->push_back(position_);
  }

 private:
  std::uint64_t read(std::size_t bytes);

  std::span<const std::uint8_t> bytes_;
  std::size_t position_ = 0;
  std::vector<std::size_t>* units_ = nullptr;
};

// The bytes of case `index` of a campaign: a function of (seed, index) alone, the same on every machine.
std::vector<std::uint8_t> campaign_bytes(std::uint64_t seed, std::uint64_t index, std::size_t size);

}  // namespace passdiff
