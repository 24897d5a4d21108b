// A position in a CBOR document, from which item after item is read.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/documents/wire/cbor.h"
#include "core/result.h"
#include "core/tensor/dtype.h"

namespace passdiff {

enum class ItemKind : std::uint8_t { null, boolean, integer, number, text, array, map };

// Reading an item steps over it; of an array or a map only the size is read, and its elements come next. An item that is not what was
// asked for gives an Error with its path ("functions[0].body[1]") and a code: json.type (another kind), json.number (out of range),
// json.index, json.name (of a dtype). Texts are views into the document.
class Cursor {
 public:
  Cursor() = default;
  // A cursor at the root of a document; fails if check_cbor does. The bytes must outlive the cursor.
  static Result<Cursor> open(std::span<const std::uint8_t> document);

  // Whether this is a position in a document, not a cursor that was only declared.
  bool is_set() const { return at_ != nullptr; }
  ItemKind kind() const;
  Result<std::size_t> array(const char* what = "an array");  // the number of elements
  Result<std::size_t> map(const char* what = "an object");   // the number of pairs; keys are texts
  Result<std::string_view> text(const char* what = "a string");
  Result<bool> boolean();
  Result<std::int64_t> integer(std::int64_t low = std::numeric_limits<std::int64_t>::min(),
                               std::int64_t high = std::numeric_limits<std::int64_t>::max());
  Result<bool> bit() { return TRY(integer(0, 1)) == 1; }
  // An index into a table of `count` rows.
  Result<std::size_t> index(std::size_t count);
  // A number: an integer and the names "inf", "-inf" and "nan" are numbers, too.
  Result<double> number();
  Result<DType> dtype();
  Result<std::vector<std::int64_t>> integers();
  bool take_null();  // steps over a null, if there is one
  void skip();

  // Steps over the item here, and returns its bytes, with all that it holds.
  std::span<const std::uint8_t> item();
  // An Error about the item here.
  Error error(const char* code, const std::string& message) const;

 private:
  explicit Cursor(std::span<const std::uint8_t> document)
      : begin_(document.data()), at_(document.data()), end_(document.data() + document.size()) {}
  std::uint8_t lead() const;
  bool is(CborMajor major) const { return lead() >> 5 == static_cast<unsigned>(major); }
  std::uint64_t argument();
  Result<std::size_t> container(CborMajor major, const char* what);
  Error expected(const char* what) const { return error("json.type", std::string("expected ") + what); }
  std::string path() const;

  const std::uint8_t* begin_ = nullptr;
  const std::uint8_t* at_ = nullptr;
  const std::uint8_t* end_ = nullptr;
};

// The number of this name that JSON lacks: "inf", "-inf" or "nan".
std::optional<double> non_finite_number(std::string_view name);
std::string_view non_finite_name(double value);

}  // namespace passdiff
