// splitmix64 (Steele, Lea, Flood 2014): integer arithmetic only, so the same on every machine.
#pragma once

#include <cstdint>

namespace passdiff {

// What its state grows by with each number.
inline constexpr std::uint64_t kGoldenGamma = 0x9E3779B97F4A7C15;

// Its finaliser: from a state to a number.
constexpr std::uint64_t splitmix64_finish(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

// Mixes 64 bits into a state, as hashes do.
constexpr std::uint64_t splitmix64_mix(std::uint64_t state, std::uint64_t word) {
  return splitmix64_finish(state + word + kGoldenGamma);
}

}  // namespace passdiff
