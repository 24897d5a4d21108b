// CBOR (RFC 8949), as far as JSON documents need it: a writer, and a guarded reader.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/documents/json_document.h"

namespace passdiff {

// Containers are written with their number of elements, which the caller then has to write.
class CborWriter {
 public:
  void array(std::size_t elements) { head(4, elements); }
  void map(std::size_t pairs) { head(5, pairs); }
  void text(std::string_view value);
  void integer(std::int64_t value);
  void number(double value);
  void boolean(bool value) { bytes_.push_back(value ? 0xF5 : 0xF4); }
  void null() { bytes_.push_back(0xF6); }
  std::vector<std::uint8_t> take() { return std::move(bytes_); }

 private:
  void head(unsigned major, std::uint64_t argument);

  std::vector<std::uint8_t> bytes_;
};

// Reads one item and all it holds, without recursion. Refuses what JSON lacks (tags, keys that are no
// strings, undefined), numbers beyond int64, text that is no UTF-8, truncated input, trailing bytes, and
// whatever is too deep or too large: json.syntax, json.depth, json.size. The document points into `bytes`.
Result<Document> read_cbor(std::span<const std::uint8_t> bytes);

}  // namespace passdiff
