// The outline of a module document: its tables, and where its types, attributes and bodies stand.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/documents/wire/cursor.h"
#include "core/documents/wire/schema.h"
#include "core/ir/attr.h"

namespace passdiff {

// What all functions have, local ones too.
struct BodyDocument {
  Cursor params, attrs, result, body;
  bool pure = true;
};

struct VariableDocument {
  std::string_view name;
  Cursor type;
  bool dataflow = false;
};

struct FunctionDocument {
  std::string_view name;
  bool is_public = false;
  std::vector<std::string_view> symbols;
  std::vector<VariableDocument> vars;
  BodyDocument body;
};

inline constexpr std::int64_t kMaxRank = 64;  // far above what any op makes; a rank is no size, but it is looped over

struct VDeviceDocument {
  std::string_view target;
  int id = 0;
  std::string_view memory_scope;
};

struct ModuleDocument {
  std::vector<FunctionDocument> functions;
  std::vector<VDeviceDocument> vdevices;
  NamedAttrs attrs;
};

// Views into the bytes. Fails as check_cbor does, and as Cursor does where the outline is of another form; json.version.
Result<ModuleDocument> read_outline(std::span<const std::uint8_t> document);

// Of the map here; steps over it.
Result<BodyDocument> read_body_outline(Cursor& in);

// The values of the map here, by key; steps over it. A key that is missing, unknown or there twice is json.field.
std::optional<Error> read_fields(Cursor& in, std::span<const std::string_view> keys, std::span<Cursor> values);

// Steps over the head of the array here; json.type if it has another size.
std::optional<Error> expect_size(Cursor& in, std::size_t size);

struct TensorDocument {
  DType dtype = DType::float32;
  std::vector<std::int64_t> shape;  // of kMaxRank dims at most; they are not checked against the bytes
  std::vector<std::uint8_t> bytes;
};
// The three items here: dtype, shape, bytes in base64 (json.base64).
Result<TensorDocument> read_tensor(Cursor& in);
Result<TensorDocument> read_tensor(Cursor dtype, Cursor shape, Cursor data);

// Of a module with so many vdevices.
Result<AttrValue> read_attr(Cursor& in, std::size_t vdevices);
Result<NamedAttrs> read_attrs(Cursor& in, std::size_t vdevices);

// The size of the form here, whose tag comes next. json.type if it is empty or no array.
Result<std::size_t> begin_form(Cursor& in, const char* what);

// Which of the forms this is, and its size; what follows the tag is next.
template <class E>
struct FormHead {
  E form;
  std::size_t size;
};
template <class E>
Result<FormHead<E>> read_form(Cursor& in, const char* what) {
  const Cursor start = in;
  const std::size_t size = TRY(begin_form(in, what));
  const std::string_view tag = TRY(in.text());
  for (std::size_t i = 0; i < kForms<E>.size(); ++i) {
    const Form& form = kForms<E>[i];
    if (form.tag != tag) continue;
    if (size >= form.least && size <= form.most) return FormHead<E>{static_cast<E>(i), size};
    return start.error("json.type", "an array of " + std::to_string(size) + " elements, expected " +
                                        std::to_string(form.most));
  }
  return start.error("json.name", std::string(what) + " is never called \"" + std::string(tag) + "\"");
}

}  // namespace passdiff
