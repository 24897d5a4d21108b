#include "core/documents/wire/cbor.h"

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <string>

#include "core/tensor/rounding.h"
#include "core/utf8.h"

namespace passdiff {

void CborWriter::head(CborMajor major, std::uint64_t argument) {
  const auto lead = static_cast<std::uint8_t>(static_cast<unsigned>(major) << 5);
  if (argument < kCborOneByte) {
    bytes_.push_back(static_cast<std::uint8_t>(lead | argument));
    return;
  }
  const unsigned size = argument <= 0xFF ? 0 : argument <= 0xFFFF ? 1 : argument <= 0xFFFFFFFF ? 2 : 3;
  bytes_.push_back(static_cast<std::uint8_t>(lead | (kCborOneByte + size)));
  for (int shift = (8 << size) - 8; shift >= 0; shift -= 8) {
    bytes_.push_back(static_cast<std::uint8_t>(argument >> shift));
  }
}

void CborWriter::text(std::string_view value) {
  head(CborMajor::text, value.size());
  bytes_.insert(bytes_.end(), value.begin(), value.end());
}

void CborWriter::integer(std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  value < 0 ? head(CborMajor::negative_integer, ~bits) : head(CborMajor::unsigned_integer, bits);
}

void CborWriter::number(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  constant(kCborDouble);
  for (int shift = 56; shift >= 0; shift -= 8) bytes_.push_back(static_cast<std::uint8_t>(bits >> shift));
}

double cbor_float(unsigned info, std::uint64_t bits) {
  if (info == kCborHalf) return narrow_value(DType::float16, static_cast<std::uint16_t>(bits));
  if (info == kCborSingle) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  return std::bit_cast<double>(bits);
}

namespace {

// Why a document is refused. Returned by pointer, null if it is not refused: an Error would cost more than the check of an item.
struct Fault {
  const char* code;
  const char* what;
};
using FaultPtr = const Fault*;

constexpr Fault kTruncated{"json.syntax", "truncated"};
constexpr Fault kTruncatedContainer{"json.syntax", "truncated container"};
constexpr Fault kTruncatedString{"json.syntax", "truncated string"};
constexpr Fault kNoUtf8{"json.syntax", "text that is not UTF-8"};
constexpr Fault kKeyKind{"json.syntax", "a key that is no string"};
constexpr Fault kUnstatedLength{"json.syntax", "a length that is not stated"};
constexpr Fault kLargeInteger{"json.syntax", "integer beyond 64 bits"};
constexpr Fault kNoJson{"json.syntax", "a tag, a byte string, or a number or simple value that JSON lacks"};
constexpr Fault kTrailing{"json.syntax", "bytes after the end"};
constexpr Fault kTooManyItems{"json.size", "too many items"};
constexpr Fault kTooDeep{"json.depth", "nested too deeply"};

class CborChecker {
 public:
  explicit CborChecker(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  FaultPtr check();
  std::size_t position() const { return position_; }

 private:
  struct Open {
    std::uint64_t left;  // how many items are still to come, two for each pair of a map
    bool is_map;
  };

  FaultPtr item();
  FaultPtr open(bool is_map, std::uint64_t count);
  FaultPtr text(std::uint64_t size);
  FaultPtr argument(unsigned info, std::uint64_t& value);
  std::size_t rest() const { return bytes_.size() - position_; }
  // Whether the next item is a key: in a map, keys and values alternate.
  bool expects_key() const { return depth_ > 0 && open_[depth_ - 1].is_map && open_[depth_ - 1].left % 2 == 0; }

  std::span<const std::uint8_t> bytes_;
  std::size_t position_ = 0;
  std::size_t items_ = 0;
  std::size_t depth_ = 0;
  std::array<Open, kMaxDocumentDepth> open_;
};

FaultPtr CborChecker::open(bool is_map, std::uint64_t count) {
  // Every item takes at least one byte, so that a larger count is wrong whatever follows.
  if (count > rest()) return &kTruncatedContainer;
  if (depth_ == kMaxDocumentDepth) return &kTooDeep;
  open_[depth_++] = {is_map ? 2 * count : count, is_map};
  return nullptr;
}

FaultPtr CborChecker::text(std::uint64_t size) {
  if (size > rest()) return &kTruncatedString;
  const auto* start = reinterpret_cast<const char*>(bytes_.data()) + position_;
  if (!is_utf8({start, static_cast<std::size_t>(size)})) return &kNoUtf8;
  position_ += static_cast<std::size_t>(size);
  return nullptr;
}

FaultPtr CborChecker::argument(unsigned info, std::uint64_t& value) {
  value = info;
  if (info < kCborOneByte) return nullptr;
  if (info > kCborEightBytes) return &kUnstatedLength;
  const std::size_t size = std::size_t{1} << (info - kCborOneByte);
  if (rest() < size) return &kTruncated;
  value = 0;
  for (std::size_t i = 0; i < size; ++i) value = value << 8 | bytes_[position_++];
  return nullptr;
}

FaultPtr CborChecker::item() {
  if (rest() == 0) return &kTruncated;
  if (++items_ > kMaxDocumentItems) return &kTooManyItems;
  const auto major = static_cast<CborMajor>(bytes_[position_] >> 5);
  const unsigned info = bytes_[position_++] & 31U;
  if (major != CborMajor::text && expects_key()) return &kKeyKind;
  if (depth_ > 0) --open_[depth_ - 1].left;
  std::uint64_t value = 0;
  if (const FaultPtr fault = argument(info, value)) return fault;
  constexpr auto kLargest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  switch (major) {
    case CborMajor::unsigned_integer:
    case CborMajor::negative_integer:
      return value > kLargest ? &kLargeInteger : nullptr;
    case CborMajor::text:
      return text(value);
    case CborMajor::array:
    case CborMajor::map:
      return open(major == CborMajor::map, value);
    case CborMajor::simple:
      if (info >= kCborFalse && info <= kCborNull) return nullptr;
      if (info >= kCborHalf && std::isfinite(cbor_float(info, value))) return nullptr;
      break;
    case CborMajor::bytes:
    case CborMajor::tag:
      break;
  }
  return &kNoJson;
}

FaultPtr CborChecker::check() {
  do {
    if (const FaultPtr fault = item()) return fault;
    while (depth_ > 0 && open_[depth_ - 1].left == 0) --depth_;
  } while (depth_ > 0);
  return rest() > 0 ? &kTrailing : nullptr;
}

}  // namespace

std::optional<Error> check_cbor(std::span<const std::uint8_t> bytes) {
  if (bytes.size() > kMaxDocumentBytes) return Error{"json.size", "document: larger than 64 MiB"};
  CborChecker checker(bytes);
  const FaultPtr fault = checker.check();
  if (fault == nullptr) return std::nullopt;
  return Error{fault->code,
               "document: " + std::string(fault->what) + " at byte " + std::to_string(checker.position())};
}

}  // namespace passdiff
