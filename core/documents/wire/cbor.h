// CBOR (RFC 8949) as far as JSON documents need it: a writer, and a check of documents from outside.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/result.h"

namespace passdiff {

// The largest documents that are read, in bytes and in items.
inline constexpr std::size_t kMaxDocumentBytes = std::size_t{64} << 20;
inline constexpr std::size_t kMaxDocumentItems = std::size_t{1} << 22;  // about 200 MB as expressions
inline constexpr std::size_t kMaxDocumentDepth = 512;

// The major types: the upper three bits of an item's first byte.
enum class CborMajor : std::uint8_t { unsigned_integer, negative_integer, bytes, text, array, map, tag, simple };

// Values of the lower five bits of that byte: up to 23 they are the argument itself, these say what follows, others are constants.
inline constexpr unsigned kCborOneByte = 24;
inline constexpr unsigned kCborEightBytes = 27;
inline constexpr unsigned kCborFalse = 20;
inline constexpr unsigned kCborTrue = 21;
inline constexpr unsigned kCborNull = 22;
inline constexpr unsigned kCborHalf = 25;
inline constexpr unsigned kCborSingle = 26;
inline constexpr unsigned kCborDouble = 27;

// Writes items. A container is written as its number of elements; the elements are what the caller writes next.
class CborWriter {
 public:
  explicit CborWriter(std::size_t expected_bytes = 128) { bytes_.reserve(expected_bytes); }  // by default enough for a type

  void array(std::size_t elements) { head(CborMajor::array, elements); }
  void map(std::size_t pairs) { head(CborMajor::map, pairs); }
  void text(std::string_view value);
  void integer(std::int64_t value);
  void number(double value);  // must be finite: JSON has no other numbers
  void boolean(bool value) { constant(value ? kCborTrue : kCborFalse); }
  void null() { constant(kCborNull); }
  // Whole items that another writer wrote.
  void items(std::span<const std::uint8_t> written) { bytes_.insert(bytes_.end(), written.begin(), written.end()); }

  std::span<const std::uint8_t> bytes() const { return bytes_; }
  std::vector<std::uint8_t> take() { return std::move(bytes_); }

 private:
  void head(CborMajor major, std::uint64_t argument);
  void constant(unsigned info) {
    bytes_.push_back(static_cast<std::uint8_t>(static_cast<unsigned>(CborMajor::simple) << 5 | info));
  }

  std::vector<std::uint8_t> bytes_;
};

// Checks that the bytes are one CBOR item that could be a JSON document. What JSON lacks is refused (tags, byte strings, keys that
// are no strings, undefined, NaN and infinities), and so are integers beyond int64, text that is no UTF-8, containers and strings of
// indefinite length, truncated input, bytes after the end, and documents that are too deep or too large. Fails with json.syntax,
// json.depth, json.size. Does not recurse, and allocates nothing in proportion to the input.
std::optional<Error> check_cbor(std::span<const std::uint8_t> bytes);

// The value of a float of two, four or eight bytes: kCborHalf, kCborSingle, kCborDouble.
double cbor_float(unsigned info, std::uint64_t bits);

}  // namespace passdiff
