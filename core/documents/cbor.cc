#include "core/documents/cbor.h"

#include <bit>
#include <cmath>
#include <limits>
#include <optional>

#include "core/documents/json.h"
#include "core/utf8.h"

namespace passdiff {

void CborWriter::head(unsigned major, std::uint64_t argument) {
  const auto lead = static_cast<std::uint8_t>(major << 5);
  if (argument < 24) {
    bytes_.push_back(static_cast<std::uint8_t>(lead | argument));
    return;
  }
  const int size = argument <= 0xFF ? 0 : argument <= 0xFFFF ? 1 : argument <= 0xFFFFFFFF ? 2 : 3;
  bytes_.push_back(static_cast<std::uint8_t>(lead | (24 + size)));
  for (int shift = (8 << size) - 8; shift >= 0; shift -= 8) {
    bytes_.push_back(static_cast<std::uint8_t>(argument >> shift));
  }
}

void CborWriter::text(std::string_view value) {
  head(3, value.size());
  bytes_.insert(bytes_.end(), value.begin(), value.end());
}

void CborWriter::integer(std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  value < 0 ? head(1, ~bits) : head(0, bits);
}

void CborWriter::number(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  bytes_.push_back(0xFB);
  for (int shift = 56; shift >= 0; shift -= 8) bytes_.push_back(static_cast<std::uint8_t>(bits >> shift));
}

namespace {

constexpr unsigned kIndefinite = 31;
constexpr std::uint8_t kBreak = 0xFF;

class CborReader {
 public:
  explicit CborReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  Result<Document> read();

 private:
  struct Open {
    ItemIndex item;
    std::uint64_t remaining;  // items still to come (two for each pair); meaningless if indefinite
    bool indefinite;
  };

  void read_item();
  void read_container(unsigned major, unsigned info);
  void read_integer(unsigned major, unsigned info);
  void read_string(unsigned major, unsigned info);
  void read_simple(unsigned info);
  void read_pieces(unsigned major, std::string& whole);
  void close_finished();
  void close_at_break();
  void add(Item item);
  bool is_key() const;
  std::optional<std::uint64_t> argument(unsigned info);
  std::string_view slice(std::uint64_t size);
  void fail(const char* code, std::string message);

  std::span<const std::uint8_t> bytes_;
  std::size_t position_ = 0;
  Document document_;
  std::vector<Open> open_;
  std::optional<Error> error_;
};

void CborReader::fail(const char* code, std::string message) {
  if (!error_)
    error_ = Error{code, "document: " + std::move(message) + " at byte " + std::to_string(position_)};
}

std::optional<std::uint64_t> CborReader::argument(unsigned info) {
  if (info < 24) return info;
  if (info > 27) {
    fail("json.syntax", "reserved length");
    return std::nullopt;
  }
  const std::size_t size = std::size_t{1} << (info - 24);
  if (bytes_.size() - position_ < size) {
    fail("json.syntax", "truncated");
    return std::nullopt;
  }
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < size; ++i) value = value << 8 | bytes_[position_++];
  return value;
}

std::string_view CborReader::slice(std::uint64_t size) {
  if (bytes_.size() - position_ < size) {
    fail("json.syntax", "truncated string");
    return {};
  }
  const auto* start = reinterpret_cast<const char*>(bytes_.data()) + position_;
  position_ += static_cast<std::size_t>(size);
  return {start, static_cast<std::size_t>(size)};
}

// Keys and values of a map alternate.
bool CborReader::is_key() const {
  if (open_.empty()) return false;
  const Open& open = open_.back();
  return document_.items[open.item].kind == ItemKind::map && open.remaining % 2 == 0;
}

void CborReader::add(Item item) {
  if (is_key() && item.kind != ItemKind::string) return fail("json.syntax", "a key that is no string");
  if (document_.items.size() >= kMaxDocumentItems) return fail("json.size", "too many items");
  item.next = static_cast<ItemIndex>(document_.items.size()) + 1;
  document_.items.push_back(item);
  // An indefinite container counts down as well, from an even number, so that keys are told from values.
  if (!open_.empty()) --open_.back().remaining;
}

void CborReader::read_container(unsigned major, unsigned info) {
  const bool is_map = major == 5;
  const bool indefinite = info == kIndefinite;
  std::uint64_t items = std::numeric_limits<std::uint64_t>::max() - 1;
  if (!indefinite) {
    const auto count = argument(info);
    if (!count) return;
    // Every item takes a byte at least: a larger count is a lie, whatever follows.
    if (*count > bytes_.size() - position_) return fail("json.syntax", "truncated container");
    items = is_map ? *count * 2 : *count;
  }
  if (open_.size() >= static_cast<std::size_t>(kMaxDocumentDepth))
    return fail("json.depth", "nested too deeply");
  const auto index = static_cast<ItemIndex>(document_.items.size());
  add({.kind = is_map ? ItemKind::map : ItemKind::array});
  if (!error_) open_.push_back({index, items, indefinite});
}

void CborReader::read_integer(unsigned major, unsigned info) {
  const auto value = argument(info);
  if (!value) return;
  if (*value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    return fail("json.syntax", "integer beyond 64 bits");
  }
  const auto bits = static_cast<std::int64_t>(*value);
  add({.kind = ItemKind::integer, .integer = major == 1 ? -1 - bits : bits});
}

void CborReader::read_pieces(unsigned major, std::string& whole) {
  while (!error_) {
    if (position_ >= bytes_.size()) return fail("json.syntax", "truncated string");
    const std::uint8_t lead = bytes_[position_++];
    if (lead == kBreak) return;
    if (lead >> 5 != major || (lead & 31U) == kIndefinite)
      return fail("json.syntax", "string in a wrong piece");
    const auto size = argument(lead & 31U);
    if (size) whole += slice(*size);
  }
}

void CborReader::read_string(unsigned major, unsigned info) {
  std::string_view text;
  if (info == kIndefinite) {
    read_pieces(major, document_.owned.emplace_back());
    text = document_.owned.back();
  } else if (const auto size = argument(info)) {
    text = slice(*size);
  }
  if (error_) return;
  if (major == 3 && !is_utf8(text)) return fail("json.syntax", "text that is not UTF-8");
  add({.kind = major == 3 ? ItemKind::string : ItemKind::bytes, .text = text});
}

double half_value(std::uint64_t bits) {
  const auto exponent = static_cast<int>(bits >> 10 & 31);
  const auto mantissa = static_cast<double>(bits & 1023);
  double value = std::numeric_limits<double>::infinity();
  if (exponent < 31)
    value = exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(mantissa + 1024, exponent - 25);
  if (exponent == 31 && mantissa != 0) value = std::numeric_limits<double>::quiet_NaN();
  return (bits & 0x8000) != 0 ? -value : value;
}

void CborReader::read_simple(unsigned info) {
  if (info == 20 || info == 21) return add({.kind = ItemKind::boolean, .integer = info == 21});
  if (info == 22) return add({.kind = ItemKind::null});
  if (info < 25 || info > 27) return fail("json.syntax", "a simple value that JSON lacks");
  const auto bits = argument(info);
  if (!bits) return;
  const double value = info == 25   ? half_value(*bits)
                       : info == 26 ? std::bit_cast<float>(static_cast<std::uint32_t>(*bits))
                                    : std::bit_cast<double>(*bits);
  add({.kind = ItemKind::number, .number = value});
}

void CborReader::read_item() {
  const std::uint8_t lead = bytes_[position_++];
  const unsigned major = lead >> 5;
  const unsigned info = lead & 31U;
  if (lead == kBreak) return close_at_break();
  if (major <= 1) return read_integer(major, info);
  if (major <= 3) return read_string(major, info);
  if (major <= 5) return read_container(major, info);
  if (major == 6) return fail("json.syntax", "a tag");
  read_simple(info);
}

void CborReader::close_at_break() {
  if (open_.empty() || !open_.back().indefinite) return fail("json.syntax", "a break out of place");
  if (document_.items[open_.back().item].kind == ItemKind::map && !is_key()) {
    return fail("json.syntax", "a key without a value");
  }
  open_.back().indefinite = false;
  open_.back().remaining = 0;
}

void CborReader::close_finished() {
  while (!open_.empty() && !open_.back().indefinite && open_.back().remaining == 0) {
    Item& container = document_.items[open_.back().item];
    container.next = static_cast<ItemIndex>(document_.items.size());
    open_.pop_back();
  }
}

// Children are counted when their container is closed: the stated count and an indefinite one come out alike.
void count_children(std::vector<Item>& items) {
  for (ItemIndex i = 0; i < items.size(); ++i) {
    Item& item = items[i];
    if (item.kind != ItemKind::array && item.kind != ItemKind::map) continue;
    std::uint32_t children = 0;
    for (ItemIndex child = i + 1; child < item.next; child = items[child].next) ++children;
    item.count = item.kind == ItemKind::map ? children / 2 : children;
  }
}

Result<Document> CborReader::read() {
  if (bytes_.size() > kMaxDocumentBytes) return Error{"json.size", "document: larger than 64 MiB"};
  document_.items.reserve(std::min<std::size_t>(bytes_.size() / 2, 4096));
  do {
    if (position_ >= bytes_.size()) fail("json.syntax", "truncated");
    if (!error_) read_item();
    if (!error_) close_finished();
  } while (!error_ && !open_.empty());
  if (!error_ && position_ < bytes_.size()) fail("json.syntax", "bytes after the end");
  if (error_) return *error_;
  count_children(document_.items);
  return std::move(document_);
}

}  // namespace

Result<Document> read_cbor(std::span<const std::uint8_t> bytes) {
  return CborReader(bytes).read();
}

}  // namespace passdiff
