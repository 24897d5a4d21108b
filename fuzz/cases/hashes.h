// Hashes that are kept and compared between runs: the same on every machine of one byte order.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include <xxhash.h>

namespace passdiff {

inline std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  const std::array<std::uint64_t, 2> both{a, b};
  return XXH3_64bits(both.data(), sizeof both);
}
inline std::uint64_t hash_text(std::string_view text) {
  return XXH3_64bits(text.data(), text.size());
}

}  // namespace passdiff
