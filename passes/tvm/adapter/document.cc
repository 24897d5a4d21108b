#include "passes/tvm/adapter/document.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace passdiff {
namespace {

constexpr unsigned kUnsigned = 0;
constexpr unsigned kNegative = 1;
constexpr unsigned kText = 3;
constexpr unsigned kArray = 4;
constexpr unsigned kMap = 5;
constexpr unsigned kSimple = 7;
constexpr unsigned kFalse = 20;
constexpr unsigned kTrue = 21;
constexpr unsigned kNull = 22;
constexpr unsigned kHalf = 25;
constexpr unsigned kSingle = 26;
constexpr unsigned kDouble = 27;
constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

double half_to_double(unsigned bits) {
  const unsigned exponent = (bits >> 10) & 0x1f;
  const double mantissa = bits & 0x3ff;
  double value = 0;
  if (exponent == 0) {
    value = std::ldexp(mantissa, -24);
  } else if (exponent != 31) {
    value = std::ldexp(mantissa + 1024, static_cast<int>(exponent) - 25);
  } else {
    value =
        mantissa == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  }
  return (bits & 0x8000) != 0 ? -value : value;
}

void append_base64(std::string& out, const void* data, std::size_t size) {
  const auto* bytes = static_cast<const unsigned char*>(data);
  for (std::size_t i = 0; i < size; i += 3) {
    const std::size_t count = std::min<std::size_t>(3, size - i);
    unsigned group = 0;
    for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (k < count ? bytes[i + k] : 0U);
    for (std::size_t k = 0; k < 4; ++k)
      out.push_back(k <= count ? kAlphabet[group >> (18 - 6 * k) & 63] : '=');
  }
}

std::array<std::int8_t, 256> make_base64_values() {
  std::array<std::int8_t, 256> values;
  values.fill(-1);
  for (std::size_t i = 0; i < kAlphabet.size(); ++i) {
    values[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::int8_t>(i);
  }
  return values;
}

}  // namespace

unsigned Cursor::byte() const {
  if (at_ == end_) throw DocumentError("the document ends too early");
  return static_cast<unsigned char>(*at_);
}

const char* Cursor::take(std::uint64_t size) {
  if (size > static_cast<std::uint64_t>(end_ - at_)) throw DocumentError("the document ends too early");
  const char* start = at_;
  at_ += size;
  return start;
}

std::uint64_t Cursor::argument(unsigned info) {
  if (info < 24) return info;
  if (info > 27) throw DocumentError("a length that is not given");
  const unsigned size = 1U << (info - 24);
  const char* bytes = take(size);
  std::uint64_t value = 0;
  for (unsigned i = 0; i < size; ++i) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

std::uint64_t Cursor::head(unsigned major, const char* what) {
  const unsigned first = byte();
  if (first >> 5 != major) throw DocumentError(std::string("expected ") + what);
  ++at_;
  return argument(first & 0x1f);
}

Cursor::Kind Cursor::kind() const {
  const unsigned first = byte();
  switch (first >> 5) {
    case kUnsigned:
    case kNegative:
      return Kind::integer;
    case kText:
      return Kind::text;
    case kArray:
      return Kind::array;
    case kMap:
      return Kind::map;
    default:
      break;
  }
  switch (first & 0x1f) {
    case kFalse:
    case kTrue:
      return Kind::boolean;
    case kNull:
      return Kind::null;
    default:
      break;
  }
  if (first >> 5 != kSimple) throw DocumentError("an item of an unknown kind");
  return Kind::number;
}

std::uint64_t Cursor::array() {
  return head(kArray, "an array");
}
std::uint64_t Cursor::map() {
  return head(kMap, "a map");
}

std::string_view Cursor::text() {
  const std::uint64_t size = head(kText, "a string");
  return {take(size), size};
}

std::int64_t Cursor::integer() {
  if (byte() >> 5 == kNegative) {
    const std::uint64_t value = head(kNegative, "an integer");
    if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
      throw DocumentError("an integer too large");
    return -1 - static_cast<std::int64_t>(value);
  }
  const std::uint64_t value = head(kUnsigned, "an integer");
  if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
    throw DocumentError("an integer too large");
  return static_cast<std::int64_t>(value);
}

double Cursor::number() {
  if (kind() == Kind::integer) return static_cast<double>(integer());
  const unsigned info = byte() & 0x1f;
  const std::uint64_t bits = head(kSimple, "a number");
  switch (info) {
    case kHalf:
      return half_to_double(static_cast<unsigned>(bits));
    case kSingle:
      return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    case kDouble:
      return std::bit_cast<double>(bits);
    default:
      throw DocumentError("expected a number");
  }
}

double number_of_name(std::string_view name) {
  if (name == "inf") return std::numeric_limits<double>::infinity();
  if (name == "-inf") return -std::numeric_limits<double>::infinity();
  if (name == "nan") return std::numeric_limits<double>::quiet_NaN();
  throw DocumentError("no number is called " + std::string(name));
}

double Cursor::number_or_name() {
  return kind() == Kind::text ? number_of_name(text()) : number();
}

bool Cursor::boolean() {
  const std::uint64_t value = head(kSimple, "true or false");
  if (value != kFalse && value != kTrue) throw DocumentError("expected true or false");
  return value == kTrue;
}

bool Cursor::null() {
  if (kind() != Kind::null) return false;
  ++at_;
  return true;
}

void Cursor::skip() {
  std::uint64_t left = 1;
  while (left-- > 0) {
    const unsigned major = byte() >> 5;
    if (major == 2 || major == 6) throw DocumentError("an item of an unknown kind");
    const std::uint64_t value = head(major, "an item");
    if (major == kText) take(value);
    if (major == kArray || major == kMap) {
      if (value > static_cast<std::uint64_t>(end_ - at_)) throw DocumentError("the document ends too early");
      left += major == kMap ? 2 * value : value;
    }
  }
}

std::string_view Cursor::item() const {
  Cursor next = *this;
  next.skip();
  return {at_, static_cast<std::size_t>(next.at_ - at_)};
}

void Writer::head(unsigned major, std::uint64_t argument) {
  const auto put = [&](unsigned info, unsigned size) {
    bytes_.push_back(static_cast<char>(major << 5 | info));
    for (unsigned i = size; i-- > 0;) bytes_.push_back(static_cast<char>(argument >> (8 * i)));
  };
  if (argument < 24) return put(static_cast<unsigned>(argument), 0);
  if (argument <= 0xff) return put(24, 1);
  if (argument <= 0xffff) return put(25, 2);
  if (argument <= 0xffffffff) return put(26, 4);
  put(27, 8);
}

void Writer::integer(std::int64_t value) {
  if (value >= 0) return head(kUnsigned, static_cast<std::uint64_t>(value));
  head(kNegative, static_cast<std::uint64_t>(-1 - value));
}

void Writer::number(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  bytes_.push_back('\xfb');
  for (int shift = 56; shift >= 0; shift -= 8) bytes_.push_back(static_cast<char>(bits >> shift));
}

void Writer::number_or_name(double value) {
  if (std::isfinite(value)) return number(value);
  text(std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
}

void Writer::base64(const void* data, std::size_t size) {
  head(kText, (size + 2) / 3 * 4);
  append_base64(bytes_, data, size);
}

std::string base64_encoded(const void* data, std::size_t size) {
  std::string text;
  append_base64(text, data, size);
  return text;
}

std::string base64_decoded(std::string_view text) {
  static const std::array<std::int8_t, 256> kValues = make_base64_values();
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  std::string result;
  result.reserve(text.size() * 3 / 4);
  unsigned group = 0;
  int bits = 0;
  for (const char c : text) {
    const int value = kValues[static_cast<unsigned char>(c)];
    if (value < 0) throw DocumentError("a string that is no base64");
    group = group << 6 | static_cast<unsigned>(value);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    result.push_back(static_cast<char>(group >> bits & 0xff));
  }
  return result;
}

}  // namespace passdiff
