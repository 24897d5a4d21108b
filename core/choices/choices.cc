#include "core/choices/choices.h"

#include <bit>
#include <cstring>
#include <limits>

#include "core/splitmix.h"

namespace passdiff {
namespace {

std::size_t bytes_for(std::uint64_t largest) {
  std::size_t bytes = 0;
  for (; largest != 0; largest >>= 8) ++bytes;
  return bytes;
}

}  // namespace

std::uint64_t Choices::read(std::size_t bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes && position_ < bytes_.size(); ++i) {
    value |= static_cast<std::uint64_t>(bytes_[position_++]) << (8 * i);
  }
  return value;
}

std::size_t Choices::index(std::size_t count) {
  CHECK(count > 0) << "a choice among nothing";
  return static_cast<std::size_t>(read(bytes_for(count - 1)) % count);
}

std::int64_t Choices::integer(std::int64_t low, std::int64_t high) {
  CHECK(low <= high) << low << " > " << high;
  const std::uint64_t span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  std::uint64_t offset = read(bytes_for(span));
  if (span != std::numeric_limits<std::uint64_t>::max()) offset %= span + 1;
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + offset);
}

bool Choices::one_in(unsigned n) {
  CHECK(n > 0) << "one in none";
  return index(n) == n - 1;
}

std::size_t Choices::weighted(std::span<const unsigned> weights) {
  std::size_t sum = 0;
  for (const unsigned weight : weights) sum += weight;
  CHECK(sum > 0) << "no positive weight";
  std::size_t rest = index(sum);
  std::size_t i = 0;
  while (rest >= weights[i]) rest -= weights[i++];
  return i;
}

std::vector<std::uint8_t> campaign_bytes(std::uint64_t seed, std::uint64_t index, std::size_t size) {
  // Two rounds of mixing keep the streams of neighbouring seeds and indices apart.
  std::uint64_t state = splitmix64_finish(splitmix64_finish(seed + kGoldenGamma) + (index + 1) * kGoldenGamma);
  std::vector<std::uint8_t> bytes((size + 7) / 8 * 8);
  std::uint8_t* const end = bytes.data() + bytes.size();
  for (std::uint8_t* to = bytes.data(); to != end; to += 8) {
    std::uint64_t word = splitmix64_finish(state += kGoldenGamma);
    if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
    std::memcpy(to, &word, sizeof word);  // little-endian on every machine
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace passdiff
