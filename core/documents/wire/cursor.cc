#include "core/documents/wire/cursor.h"

#include <cmath>

namespace passdiff {

std::optional<double> non_finite_number(std::string_view name) {
  if (name == "inf") return std::numeric_limits<double>::infinity();
  if (name == "-inf") return -std::numeric_limits<double>::infinity();
  if (name == "nan") return std::numeric_limits<double>::quiet_NaN();
  return std::nullopt;
}

std::string_view non_finite_name(double value) {
  if (std::isnan(value)) return "nan";
  return value > 0 ? "inf" : "-inf";
}

Result<Cursor> Cursor::open(std::span<const std::uint8_t> document) {
  TRY_VOID(check_cbor(document));
  return Cursor(document);
}

// The first byte of the item here. A caller that reads as many elements as their container has stays within the document, which was
// checked.
std::uint8_t Cursor::lead() const {
  CHECK(at_ < end_) << "an item is read past the end of the document";
  return *at_;
}

std::uint64_t Cursor::argument() {
  const unsigned info = *at_++ & 31U;
  if (info < kCborOneByte) return info;
  const unsigned size = 1U << (info - kCborOneByte);
  std::uint64_t value = 0;
  for (unsigned i = 0; i < size; ++i) value = value << 8 | *at_++;
  return value;
}

ItemKind Cursor::kind() const {
  const std::uint8_t first = lead();
  switch (static_cast<CborMajor>(first >> 5)) {
    case CborMajor::unsigned_integer:
    case CborMajor::negative_integer:
      return ItemKind::integer;
    case CborMajor::text:
      return ItemKind::text;
    case CborMajor::array:
      return ItemKind::array;
    case CborMajor::map:
      return ItemKind::map;
    case CborMajor::bytes:
    case CborMajor::tag:
    case CborMajor::simple:
      break;
  }
  const unsigned info = first & 31U;
  if (info == kCborNull) return ItemKind::null;
  return info <= kCborTrue ? ItemKind::boolean : ItemKind::number;
}

Result<std::size_t> Cursor::container(CborMajor major, const char* what) {
  if (!is(major)) return expected(what);
  return static_cast<std::size_t>(argument());
}

Result<std::size_t> Cursor::array(const char* what) {
  return container(CborMajor::array, what);
}

Result<std::size_t> Cursor::map(const char* what) {
  return container(CborMajor::map, what);
}

Result<std::string_view> Cursor::text(const char* what) {
  if (!is(CborMajor::text)) return expected(what);
  const auto size = static_cast<std::size_t>(argument());
  const std::string_view text(reinterpret_cast<const char*>(at_), size);
  at_ += size;
  return text;
}

Result<bool> Cursor::boolean() {
  if (kind() != ItemKind::boolean) return expected("true or false");
  return argument() == kCborTrue;
}

Result<std::int64_t> Cursor::integer(std::int64_t low, std::int64_t high) {
  if (kind() != ItemKind::integer) return expected("an integer");
  const Cursor start = *this;
  const bool negative = is(CborMajor::negative_integer);
  const auto bits = static_cast<std::int64_t>(argument());
  const std::int64_t value = negative ? -1 - bits : bits;
  if (value < low || value > high) return start.error("json.number", std::to_string(value) + " is out of range");
  return value;
}

Result<std::size_t> Cursor::index(std::size_t count) {
  const Cursor start = *this;
  const std::int64_t value = TRY(integer());
  if (value >= 0 && static_cast<std::uint64_t>(value) < count) return static_cast<std::size_t>(value);
  return start.error("json.index",
                     "index " + std::to_string(value) + " into a table of " + std::to_string(count));
}

Result<double> Cursor::number() {
  const Cursor start = *this;
  switch (kind()) {
    case ItemKind::integer:
      return static_cast<double>(TRY(integer()));
    case ItemKind::number: {
      const unsigned info = lead() & 31U;
      return cbor_float(info, argument());
    }
    case ItemKind::text:
      if (const auto named = non_finite_number(TRY(text()))) return *named;
      break;
    default:
      break;
  }
  return start.expected("a number");
}

Result<DType> Cursor::dtype() {
  const Cursor start = *this;
  const std::string_view name = TRY(text());
  if (const auto dtype = dtype_from_name(name)) return *dtype;
  return start.error("json.name", "no dtype is called \"" + std::string(name) + "\"");
}

Result<std::vector<std::int64_t>> Cursor::integers() {
  std::vector<std::int64_t> values(TRY(array()));
  for (std::int64_t& value : values) value = TRY(integer());
  return values;
}

bool Cursor::take_null() {
  if (kind() != ItemKind::null) return false;
  ++at_;
  return true;
}

void Cursor::skip() {
  for (std::uint64_t left = 1; left > 0; --left) {
    const auto major = static_cast<CborMajor>(lead() >> 5);
    const std::uint64_t value = argument();
    if (major == CborMajor::text) at_ += value;
    if (major == CborMajor::array) left += value;
    if (major == CborMajor::map) left += 2 * value;
  }
}

std::span<const std::uint8_t> Cursor::item() {
  const std::uint8_t* const begin = at_;
  skip();
  return {begin, at_};
}

std::string Cursor::path() const {
  std::string path;
  Cursor at = *this;
  at.at_ = begin_;
  while (at.at_ < at_ && (at.is(CborMajor::array) || at.is(CborMajor::map))) {
    const bool is_map = at.is(CborMajor::map);
    const std::uint64_t count = at.argument();
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::string_view key = is_map ? at.text().value() : std::string_view();
      Cursor next = at;
      next.skip();
      if (next.at_ <= at_) {
        at = next;
        continue;
      }
      path += is_map ? (path.empty() ? "" : ".") + std::string(key) : "[" + std::to_string(i) + "]";
      break;
    }
  }
  return path.empty() ? "document" : path;
}

Error Cursor::error(const char* code, const std::string& message) const {
  return {code, path() + ": " + message};
}

}  // namespace passdiff
