// Reads modules and values from parsed documents. Nothing in a document is trusted: every index, name and
// number is checked. The first fault is kept, with its path; whatever is read after it is of no use, but safe
// to read.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/module.h"
#include "core/result.h"
#include "core/documents/json_document.h"
#include "core/tensor/value.h"

namespace passdiff {

Result<Module> read_module(const Document& document);
Result<Value> read_value(const Document& document);

// Plain items. Codes: json.field (missing, unknown or twice), json.type (another kind of item), json.index,
// json.number, json.name (of an op, a dtype, ...), json.base64, tensor.*.
class DocumentReader {
 public:
  explicit DocumentReader(const Document& document) : document_(document) {}

 protected:
  const Document& document() const { return document_; }
  bool failed() const { return error_.has_value(); }
  const Error& error() const { return *error_; }
  void fail(ItemIndex at, const char* code, const std::string& message);

  bool is(ItemIndex at, ItemKind kind) const { return document_[at].kind == kind; }
  bool expect(ItemIndex at, ItemKind kind, const char* what);
  std::string_view text(ItemIndex at);
  bool boolean(ItemIndex at);
  bool bit(ItemIndex at) { return integer(at, 0, 1) == 1; }
  std::int64_t integer(ItemIndex at, std::int64_t low = std::numeric_limits<std::int64_t>::min(),
                       std::int64_t high = std::numeric_limits<std::int64_t>::max());
  std::size_t index(ItemIndex at, std::size_t count);
  double number(ItemIndex at);  // integers and "inf", "-inf", "nan" included
  DType dtype(ItemIndex at);
  std::vector<std::int64_t> integers(ItemIndex at);
  TensorPtr tensor(ItemIndex dtype, ItemIndex shape, ItemIndex data);  // null if it failed

  ItemIndex find(ItemIndex map, std::string_view key) const { return document_.find(map, key); }
  ItemIndex field(ItemIndex map, std::string_view key);  // fails without it
  void only_fields(ItemIndex map, std::initializer_list<std::string_view> keys);

  // The elements of an array that has between `least` and N; absent ones are 0.
  template <std::size_t N>
  std::array<ItemIndex, N> elements(ItemIndex at, std::size_t least = N) {
    std::array<ItemIndex, N> result{};
    if (!expect(at, ItemKind::array, "an array")) return result;
    const std::size_t count = document_[at].count;
    if (count < least || count > N) {
      fail(at, "json.type",
           "an array of " + std::to_string(count) + " elements, expected " + std::to_string(N));
      return result;
    }
    ItemIndex child = at + 1;
    for (std::size_t i = 0; i < count; ++i, child = document_.after(child)) result[i] = child;
    return result;
  }

  template <class Visit>
  void for_each(ItemIndex at, const Visit& visit) {
    if (!expect(at, ItemKind::array, "an array")) return;
    ItemIndex child = at + 1;
    for (std::uint32_t i = 0; i < document_[at].count && !failed(); ++i, child = document_.after(child)) {
      visit(child);
    }
  }

 private:
  const Document& document_;
  std::optional<Error> error_;
};

// Types, dims and attributes, against the symbols of the function at hand and the module's vdevices.
class TypeReader : public DocumentReader {
 public:
  using DocumentReader::DocumentReader;

 protected:
  void begin_symbols(ItemIndex table);
  void set_vdevices(std::size_t count) { vdevices_ = count; }
  Type type(ItemIndex at);
  std::vector<Type> types(ItemIndex at);
  Dim dim(ItemIndex at);
  Shape dims(ItemIndex at);
  AttrValue attr(ItemIndex at);
  NamedAttrs attrs(ItemIndex at);

 private:
  Type tensor_type_at(ItemIndex at);
  Type func_type_at(ItemIndex at);
  Dim dim_operation(ItemIndex at, std::string_view op);
  AttrValue tagged_attr(ItemIndex at);
  // Dims, a rank, or nothing.
  void shape_or_rank(ItemIndex at, std::optional<Shape>& shape, int& rank);

  std::vector<Dim> symbols_;
  std::size_t vdevices_ = 0;
};

}  // namespace passdiff
