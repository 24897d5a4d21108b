// CBOR as core/documents/json.md uses it: a cursor over a document, and a writer. Nothing is decoded into a
// tree.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace passdiff {

// The bytes are no module document.
struct DocumentError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A position in a document. Reading past the end, or another kind than the one asked for, throws
// DocumentError.
class Cursor {
 public:
  Cursor() = default;
  explicit Cursor(std::string_view bytes) : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  enum class Kind : std::uint8_t { integer, text, array, map, boolean, null, number };
  Kind kind() const;

  std::uint64_t array();  // number of elements, which follow
  std::uint64_t map();    // number of pairs, which follow
  std::string_view text();
  std::int64_t integer();
  double number();          // an integer too
  double number_or_name();  // "inf", "-inf" and "nan" too
  bool boolean();
  bool null();  // steps over a null, if there is one
  void skip();
  // The bytes of the item that starts here.
  std::string_view item() const;

 private:
  std::uint64_t head(unsigned major, const char* what);
  std::uint64_t argument(unsigned info);
  unsigned byte() const;
  const char* take(std::uint64_t size);

  const char* at_ = nullptr;
  const char* end_ = nullptr;
};

class Writer {
 public:
  void array(std::size_t elements) { head(4, elements); }
  void map(std::size_t pairs) { head(5, pairs); }
  void text(std::string_view value) {
    head(3, value.size());
    bytes_.append(value);
  }
  void tag(std::size_t elements, std::string_view name) {
    array(elements);
    text(name);
  }
  void integer(std::int64_t value);
  void number(double value);          // always as a floating-point number
  void number_or_name(double value);  // "inf", "-inf" and "nan" by name
  void boolean(bool value) { bytes_.push_back(value ? '\xf5' : '\xf4'); }
  void null() { bytes_.push_back('\xf6'); }
  void base64(const void* data, std::size_t size);
  const std::string& bytes() const { return bytes_; }
  std::string take() { return std::move(bytes_); }

 private:
  void head(unsigned major, std::uint64_t argument);

  std::string bytes_;
};

double number_of_name(std::string_view name);  // "inf", "-inf", "nan"
std::string base64_encoded(const void* data, std::size_t size);
std::string base64_decoded(std::string_view text);

}  // namespace passdiff
